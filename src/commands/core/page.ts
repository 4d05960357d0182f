/** What a command may ask of the page. Commands touch no element themselves: a test hands in a page of its own. */
import type { ChartId } from '../../domain/charts/charts.ts'
import type { Entity } from '../../store/lists.ts'
import type { AnyItem } from '../../store/selection.ts'

/** A part of the page that a command leads to: the element with that id, or with that data attribute. */
export type PagePart =
  'list-search' | 'keys-search' | 'types-filter' | 'panel-tab' | 'notifications' | `chart-${ChartId}`

export interface Page {
  /** Shows another screen; with `replace` the browser’s way back leads past this one. */
  go(path: string, how?: { replace: boolean }): void
  /** Puts the focus there: the text of a field is selected, a menu opens. */
  focus(part: PagePart): void
  /** Whether the focus is in that part. */
  hasFocus(part: PagePart): boolean
  /** Scrolls to that part. */
  scrollTo(part: PagePart): void
  /** Opens the menu of a row at the row itself. */
  openRowMenu(entity: Entity, row: AnyItem): void
  /** Closes all messages. */
  closeMessages(): void
  /** Copies a text. Rejects where the browser does not allow that; `otherwise` says what a person can do instead. */
  copy(text: string, otherwise: string): Promise<void>
  /** Downloads a file. */
  save(name: string, file: Blob): void
  /** Asks for a file; undefined where none is chosen. */
  chooseFile(accept: string): Promise<File | undefined>
}
