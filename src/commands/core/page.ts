/**
 * The effects that commands may have on the page. Commands touch no element themselves, so that a test can pass its own
 * page.
 */
import type { ChartId } from '../../domain/charts/charts.ts'
import type { Entity } from '../../store/lists.ts'
import type { AnyItem } from '../../store/selection.ts'

/** A part of the page that a command can focus or scroll to: the element with this id or data attribute. */
export type PagePart =
  | 'list-search'
  | 'keys-search'
  | 'types-filter'
  | 'panel-tab'
  | 'notifications'
  | 'health'
  | `chart-${ChartId}`
  | `column-width-${string}`

export interface Page {
  /** Navigates to another screen; with `replace` it replaces the current one in the browser's history. */
  go(path: string, how?: { replace: boolean }): void
  /** Focuses a part: selects the text of a field, opens a menu. */
  focus(part: PagePart): void
  /** Whether the focus is in that part. */
  hasFocus(part: PagePart): boolean
  /** Scrolls to that part. */
  scrollTo(part: PagePart): void
  /** Opens the menu of a row at the row itself. */
  openRowMenu(entity: Entity, row: AnyItem): void
  /**
   * Resolves with the width in pixels that the content of a column of the list needs; undefined if it is not on screen.
   */
  contentWidth(column: string): Promise<number | undefined>
  /** Closes all toasts. */
  closeMessages(): void
  /**
   * Copies a text. Rejects if the browser does not allow that; the message then ends with `alternative`, what the
   * person can do instead.
   */
  copy(text: string, alternative: string): Promise<void>
  /** Downloads a file. */
  save(name: string, file: Blob): void
  /** Prompts for a file; resolves with undefined if none is chosen. */
  chooseFile(accept: string): Promise<File | undefined>
}
