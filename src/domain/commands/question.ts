/** A confirmation that a person must give before a command runs. */
export interface Question {
  title: string
  text: string
  /** The label of the button that confirms. */
  action: string
  /** A word that must be typed exactly, to enable the button. */
  type: 'DELETE' | undefined
  danger: boolean
  /** A text on whether the command can be undone; missing if it changes nothing. */
  undo?: string | undefined
  /** Where the targets come from: `The focused row`. */
  source?: string | undefined
  /** The id of the command that asks. */
  command?: string | undefined
}
