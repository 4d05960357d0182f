/** How menus that drop down look. */

/** The name on the button of one; in a narrow toolbar its icon stands for it, which must not take the room of the search. */
export const menuName = '@max-4xl:sr-only'
export const menuSheet =
  'raised z-40 min-w-52 overflow-auto rounded-lg p-1 outline-none [--anchor-gap:4px] [--anchor-max-height:70vh] [--anchor-padding:8px]'
export const menuEntry = 'flex w-full items-center gap-2.5 rounded-md px-2.5 py-1.5 text-left data-focus:bg-accent-soft'
