/** Whether what the console itself is loaded from answers. */
export const consoleServed = (): Promise<boolean> =>
  fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
