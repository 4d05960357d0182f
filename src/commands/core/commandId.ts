/** The ids and input types of all commands. This module contains only types, so the build contains none of it. */

/**
 * The command lists of all subjects. Each subject adds its list by declaration merging, because the core imports no
 * subject.
 */
export interface CommandLists {}

type AnyDefinition = CommandLists[keyof CommandLists][number]

type InputBy<Of, Id> = Of extends { readonly id: infer Own; readonly inputType?: infer Input }
  ? Id extends Own
    ? Input
    : never
  : never

export type CommandId = AnyDefinition['id']

/** The input type of the command with this id. */
export type InputOf<Id extends CommandId> = InputBy<AnyDefinition, Id>
