/** The page as commands reach it. */
import toast from 'react-hot-toast/headless'
import { openRowMenu } from '../../../store/rowMenu.ts'
import { focusWhenPresent } from '../../../ui/focus/focusWhenPresent.ts'
import { saveFile } from '../../../ui/saveFile.ts'
import type { Page, PagePart } from '../../core/page.ts'

const selectorOf = (part: PagePart) => `#${part}, [data-${part}]`
const find = (part: PagePart) => document.querySelector<HTMLElement>(selectorOf(part))

const rare = () => import('./rarePage.ts')

let navigate: Page['go'] = () => undefined
/** The router's own navigation, handed over when it is mounted. */
export function setNavigate(next: typeof navigate): void {
  navigate = next
}

export const page: Page = {
  go(path, how) {
    // What had the focus goes away with its screen: a key pressed before the next screen has it is meant for that one.
    const { activeElement } = document
    const leaves = new URL(path, window.location.href).pathname !== window.location.pathname
    if (leaves && activeElement instanceof HTMLElement && activeElement.closest('main, aside')) activeElement.blur()
    navigate(path, how)
  },
  focus(part) {
    const found = find(part)
    // At once: the next key that is pressed is meant for the field.
    if (found instanceof HTMLInputElement) found.select()
    else if (part === 'types-filter') found?.click()
    else focusWhenPresent(selectorOf(part))
  },
  hasFocus: part => find(part)?.contains(document.activeElement) ?? false,
  scrollTo: part => void rare().then(({ scrollTo }) => scrollTo(part, find(part))),
  openRowMenu(entity, row) {
    const at = document.querySelector(`[role=row][data-id="${CSS.escape(row.id)}"]`)?.getBoundingClientRect()
    if (at) openRowMenu({ x: at.left + 48, y: at.bottom }, entity, row)
  },
  closeMessages: () => toast.dismiss(),
  copy: async (text, alternative) => (await rare()).copy(text, alternative),
  save: (name, file) => saveFile(name, file, file.type),
  chooseFile: async accept => (await import('../../../ui/chooseFile.ts')).chooseFile(accept),
}
