/** Unsaved edits of scripts, which survive closing their editor. Loaded with it. */
import { subscribe } from 'valtio/vanilla'
import { userResets } from '../session.ts'
import { recording, type Step } from './recording.ts'
import { scripts, type SavedScript } from './scripts.ts'

export interface ScriptDraft {
  readonly name: string
  readonly goOn: boolean
  /** The edited steps of a saved script; undefined if unchanged, or for the recording, which holds its own steps. */
  readonly steps: readonly Step[] | undefined
}

interface BasedDraft {
  readonly draft: ScriptDraft
  /** The script that was edited, as it was; undefined for the recording. */
  readonly base: SavedScript | undefined
}
/** The drafts by script id; '' is the recording. */
const drafts = new Map<string, BasedDraft>()
const recordingKey = ''

const keyOf = (script: SavedScript | undefined) => script?.id ?? recordingKey

/** Returns the draft of a script, or of the recording; undefined if there is none. */
export const draftOf = (script: SavedScript | undefined): ScriptDraft | undefined => drafts.get(keyOf(script))?.draft

/** Keeps the draft of a script, or of the recording, until that is saved, changed elsewhere or deleted. */
export const keepDraft = (script: SavedScript | undefined, draft: ScriptDraft): void =>
  void drafts.set(keyOf(script), { draft, base: script })

const contentOf = (script: SavedScript | undefined) => JSON.stringify([script?.name, script?.go_on, script?.steps])

subscribe(userResets, () => drafts.clear(), true)
subscribe(
  recording,
  () => {
    if (!recording.steps) drafts.delete(recordingKey)
  },
  true,
)
subscribe(
  scripts,
  () => {
    for (const { base } of drafts.values()) {
      const now = scripts.list.find(({ id }) => id === base?.id)
      if (base && contentOf(now) !== contentOf(base)) drafts.delete(base.id)
    }
  },
  true,
)
