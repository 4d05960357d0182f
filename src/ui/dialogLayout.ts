/** Classes of a dialog's parts, which the frame of the palette has before the code of dialogs is loaded. */
export const dialogLayout = {
  root: 'fixed inset-0 z-50',
  backdrop: 'fixed inset-0 bg-[oklch(20%_0.02_240/0.28)]',
  /** Around the panel. */
  page: 'fixed inset-0 flex justify-center overflow-y-auto p-3',
  /** For content that grows downwards. */
  top: 'items-start sm:pt-[92px]',
  middle: 'items-center-safe',
  panel: 'raised max-w-full rounded-xl',
} as const
