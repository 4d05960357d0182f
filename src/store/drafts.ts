/** Drafts of the side panel's forms, which survive closing the panel or switching its tab. */
import { proxy, ref } from 'valtio'

/** The edited fields of a command's form, and the targets that they are for. */
interface Draft {
  readonly about: string
  readonly edits: Readonly<Record<string, unknown>>
}

/** One draft for each command, by its id, so that abandoned drafts do not accumulate. */
export const drafts = proxy<Record<string, Draft>>({})

/** Replaces the command's draft; one without edits removes it. */
export function saveDraft(command: string, draft: Draft): void {
  if (Object.keys(draft.edits).length > 0) drafts[command] = ref(draft)
  else if (drafts[command]?.about === draft.about) delete drafts[command]
}

export function clearDrafts(): void {
  for (const command of Object.keys(drafts)) delete drafts[command]
}
