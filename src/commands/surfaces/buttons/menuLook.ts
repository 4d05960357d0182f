/** Classes of drop-down menus. */

/** The label of a menu's button; a narrow toolbar shows only the icon, which leaves more room to the search. */
export const menuName = '@max-3xl:sr-only'
export const menuSheet =
  'raised z-40 min-w-52 overflow-auto rounded-lg p-1 outline-none [--anchor-gap:4px] [--anchor-max-height:70vh] [--anchor-padding:8px]'
export const menuEntry = 'flex w-full items-center gap-2.5 rounded-md px-2.5 py-1.5 text-left data-focus:bg-accent-soft'
