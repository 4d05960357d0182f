/** Names as they are typed: `filtrationSystems` and `update_firmware` become `filtration-systems` and `update-firmware`. */

export const typedName = (name: string): string =>
  name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`).replaceAll('_', '-')
