/** The ids of all commands, and what each takes. For the type checker alone: nothing of it is in the build. */

/** The lists of definitions. Each adds itself by declaration merging, because the core imports no subject. */
export interface CommandLists {}

type Defined = CommandLists[keyof CommandLists][number]

type InputBy<Of, Id> = Of extends { readonly id: infer Own; readonly inputType?: infer Input }
  ? Id extends Own
    ? Input
    : never
  : never

export type CommandId = Defined['id']

/** What the command of that id takes. */
export type InputOf<Id extends CommandId> = InputBy<Defined, Id>
