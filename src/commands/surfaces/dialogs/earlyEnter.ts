/** Enter pressed before a dialog was open. */
import type { SyntheticEvent } from 'react'

/** The text of a dialog that must be read before it is confirmed. */
export const readFirst = 'Enter was pressed too early. Read this first, then press Enter again.'

/** Whether a form was submitted by a replayed Enter (replayEnter): unlike a key press or a click, it has no submitter. */
export const isReplayedSubmit = ({ nativeEvent }: SyntheticEvent): boolean =>
  nativeEvent instanceof SubmitEvent && nativeEvent.submitter === null
