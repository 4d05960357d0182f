/** A question that must be answered yes before something is done. */
export interface Question {
  title: string
  text: string
  /** The label of the button that confirms. */
  action: string
  /** A word that must be typed, exactly, before it can be confirmed. */
  type: 'DELETE' | undefined
  danger: boolean
  /** Whether it can be undone, where it acts on something. */
  undo?: string | undefined
  /** The id of the command that asks. */
  command?: string | undefined
}
