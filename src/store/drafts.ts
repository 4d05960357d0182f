/** What was typed into the forms of the side panel: closing it, or turning to another section of it, loses nothing. */
import { proxy, ref } from 'valtio'

/** What was typed last into a command's form, by field, and what it was for. */
interface Draft {
  readonly about: string
  readonly edits: Readonly<Record<string, unknown>>
}

/** By the id of the command; just one for each, so that what nobody comes back to does not pile up. */
export const drafts = proxy<Record<string, Draft>>({})

/** Keeps it in place of what was typed before; nothing typed is nothing to keep. */
export function keepDraft(command: string, draft: Draft): void {
  if (Object.keys(draft.edits).length > 0) drafts[command] = ref(draft)
  else if (drafts[command]?.about === draft.about) delete drafts[command]
}

export function forgetDrafts(): void {
  for (const command of Object.keys(drafts)) delete drafts[command]
}
