/** The page's effects that running commands can use: navigation, focus, messages, clipboard, files. */
import toast from 'react-hot-toast/headless'
import { openRowMenu } from '../../../store/rowMenu.ts'
import { focusWhenPresent } from '../../../ui/focus/focusWhenPresent.ts'
import { saveFile } from '../../../ui/saveFile.ts'
import type { Page, PagePart } from '../../core/page.ts'
import { navigateTo } from './navigate.ts'

const selectorOf = (part: PagePart) => `#${part}, [data-${part}]`
const find = (part: PagePart) => document.querySelector<HTMLElement>(selectorOf(part))

const loadRarePage = () => import('./rarePage.ts')

export const page: Page = {
  go(path, how) {
    // Removes the focus from the old screen: a key pressed before the new screen has it must not act on the old one.
    const { activeElement } = document
    const leavesScreen = new URL(path, window.location.href).pathname !== window.location.pathname
    if (leavesScreen && activeElement instanceof HTMLElement && activeElement.closest('main, aside'))
      activeElement.blur()
    navigateTo(path, how)
  },
  focus(part) {
    const found = find(part)
    // Synchronously, so that the next key press goes to the field.
    if (found instanceof HTMLInputElement) found.select()
    else if (part === 'types-filter') found?.click()
    else focusWhenPresent(selectorOf(part))
  },
  hasFocus: part => find(part)?.contains(document.activeElement) ?? false,
  scrollTo: part => void loadRarePage().then(({ scrollTo }) => scrollTo(part, find(part))),
  openRowMenu(entity, row) {
    const box = document.querySelector(`[role=row][data-id="${CSS.escape(row.id)}"]`)?.getBoundingClientRect()
    if (box) openRowMenu({ x: box.left + 48, y: box.bottom }, entity, row)
  },
  contentWidth: async column => (await import('../../../ui/table/fitColumn.ts')).contentWidth(column),
  closeMessages: () => toast.dismiss(),
  copy: async (text, alternative) => (await loadRarePage()).copy(text, alternative),
  save: (name, file) => saveFile(name, file, file.type),
  chooseFile: async accept => (await import('../../../ui/chooseFile.ts')).chooseFile(accept),
}
