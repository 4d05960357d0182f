/** What the columns of the lists are called, by entity. Units are added where values are shown. */
const timestamps = { created_at: 'Created', updated_at: 'Updated' }
const account = { first_name: 'First name', last_name: 'Last name', status: 'Status', ...timestamps }

export const columnNames = {
  devices: {
    bssid: 'Device',
    status: 'Status',
    platform: 'Platform',
    model: 'Model',
    filtration_system: 'Filtration system',
    company_name: 'Company',
    recovery_rate: 'Recovery',
    rejection_rate: 'Rejection',
    temperature: 'Temperature',
    pressure: 'Pressure',
    feed_tds: 'Feed TDS',
    permeate_tds: 'Permeate TDS',
    feed: 'Feed',
    permeate: 'Permeate',
    waste: 'Waste',
    flush_smart: 'Smart flush',
    flush_mode: 'Flush mode',
    flush_frequency: 'Flush every',
    flush_duration: 'Flush duration',
    flush_volume: 'Flush volume',
    idle_protection: 'Idle protection',
    bypass_smart: 'Smart bypass',
    bypass_state: 'Bypass valve',
    uv: 'UV',
    cartridges: 'Cartridges',
    locked: 'Vendor lock',
    valve_closed: 'Valve',
    last_active: 'Last active',
    firmware: 'Firmware',
    description: 'Description',
    power_mode: 'Power',
    battery_level: 'Battery',
    ...timestamps,
  },
  models: {
    name: 'Name',
    platform: 'Platform',
    company_name: 'Company',
    capabilities: 'Capabilities',
    vendors: 'Vendors',
    ...timestamps,
  },
  filtrationSystems: {
    model: 'Model',
    group: 'Group',
    cartridges: 'Cartridges',
    vendor: 'Vendor',
    flushing: 'Flushing',
    ...timestamps,
  },
  groups: { name: 'Name', ...timestamps },
  cartridgeTypes: {
    model: 'Model',
    type: 'Type',
    resource: 'Resource',
    ttl: 'Lifetime',
    name: 'Name',
    description: 'Description',
    purchase_url: 'Purchase link',
    image_url: 'Image link',
    ...timestamps,
  },
  admins: { login: 'Login', ...account },
  vendors: {
    login: 'Login',
    company_name: 'Company',
    ...account,
    company_address: 'Address',
    description: 'Description',
  },
  users: { email: 'Email', ...account, email_confirmed: 'Email confirmed' },
  audit: {
    at: 'When',
    login: 'Who',
    role: 'Role',
    action: 'What',
    ids: 'On',
    address: 'From',
    outcome: 'Outcome',
    message: 'Message',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>

/** What a column is called; a column without a name of its own goes by its id. */
export function columnName(entity: keyof typeof columnNames, column: string): string {
  const names: Readonly<Record<string, string>> = columnNames[entity]
  return names[column] ?? column
}
