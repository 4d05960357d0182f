/** What the things of the lists are called, one and many. */
export const nouns = {
  devices: ['device', 'devices'],
  models: ['device model', 'device models'],
  filtrationSystems: ['filtration system', 'filtration systems'],
  groups: ['group', 'groups'],
  cartridgeTypes: ['cartridge type', 'cartridge types'],
  admins: ['administrator', 'administrators'],
  vendors: ['vendor', 'vendors'],
  users: ['user', 'users'],
  audit: ['entry', 'entries'],
} as const satisfies Readonly<Record<string, readonly [one: string, many: string]>>
