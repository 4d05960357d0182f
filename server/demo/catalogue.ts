/** The demo's companies, end users, models, cartridges and filtration systems. */
import type { Capability } from '../../src/domain/device.ts'

export const demoPassword = 'permeate-demo'

/** `zones`: the time zones of the company's customers, the most common one first. */
export const companies = [
  {
    login: 'vendor',
    name: 'Aquaterra Water Systems',
    address: 'Hafenstraße 12, 20457 Hamburg',
    first: 'Lena',
    last: 'Brandt',
    zones: ['Europe/Berlin', 'Europe/Vienna'],
  },
  {
    login: 'vendor2',
    name: 'Blue Ridge Filtration',
    address: '48 Haywood Rd, Asheville, NC 28806',
    first: 'Marcus',
    last: 'Whitfield',
    zones: ['America/New_York', 'America/Chicago'],
  },
  {
    login: 'vendor3',
    name: 'Clearspring Oy',
    address: 'Satamakatu 3, 33200 Tampere',
    first: 'Aino',
    last: 'Korhonen',
    zones: ['Europe/Helsinki'],
  },
  {
    login: 'vendor4',
    name: 'Desert Bloom Water',
    address: '1701 E Speedway Blvd, Tucson, AZ 85719',
    first: 'Rosa',
    last: 'Delgado',
    zones: ['America/Phoenix', 'America/Los_Angeles'],
  },
  {
    login: 'vendor5',
    name: 'Eaux Vives SARL',
    address: '27 rue des Augustins, 69001 Lyon',
    first: 'Camille',
    last: 'Moreau',
    zones: ['Europe/Paris'],
  },
  {
    login: 'vendor6',
    name: 'Fjordvann AS',
    address: 'Strandgaten 61, 5004 Bergen',
    first: 'Sindre',
    last: 'Haugen',
    zones: ['Europe/Oslo'],
  },
] as const

export const people = [
  { login: 'user@example.com', first: 'Nora', last: 'Lindqvist', confirmed: true, blocked: false },
  { login: 'tomas.novak@example.com', first: 'Tomáš', last: 'Novák', confirmed: true, blocked: false },
  { login: 'priya.raman@example.com', first: 'Priya', last: 'Raman', confirmed: true, blocked: false },
  { login: 'jonas.weber@example.com', first: 'Jonas', last: 'Weber', confirmed: false, blocked: false },
  { login: 'mei.tanaka@example.com', first: 'Mei', last: 'Tanaka', confirmed: true, blocked: true },
  { login: 'olu.adeyemi@example.com', first: 'Olu', last: 'Adeyemi', confirmed: false, blocked: false },
] as const

interface Model {
  readonly name: string
  readonly platform: string
  readonly capabilities: Capability[]
  readonly rates: number[]
  /** Indices in `companies`. */
  readonly vendors: readonly number[]
  readonly owner?: number
}
export const models: readonly Model[] = [
  {
    name: 'RO-200 Compact',
    platform: 'esp8266',
    capabilities: ['flush', 'lock'],
    rates: [0, 0, 0, 0],
    vendors: [0, 1, 2, 3, 4, 5],
  },
  {
    name: 'RO-400 Home',
    platform: 'esp32',
    capabilities: ['flush', 'idle_protection', 'lock', 'valve'],
    rates: [0, 0, 0, 0],
    vendors: [0, 1, 2, 3, 4, 5],
  },
  {
    name: 'RO-600 Family',
    platform: 'esp32',
    capabilities: ['flush', 'idle_protection', 'bypass', 'lock', 'valve'],
    rates: [0, 0.005, 0.01, 0.02],
    vendors: [0, 1, 2, 4],
  },
  {
    name: 'RO-800 Pro UV',
    platform: 'esp32-s3',
    capabilities: ['flush', 'idle_protection', 'bypass', 'uv', 'lock', 'valve'],
    rates: [0, 0.008, 0.016, 0.03],
    vendors: [0, 1, 3, 5],
  },
  {
    name: 'RO-1200 Office',
    platform: 'esp32-s3',
    capabilities: ['flush', 'bypass', 'uv', 'lock', 'valve'],
    rates: [0, 0.01, 0.02, 0.04],
    vendors: [1, 2],
    owner: 1,
  },
]

/** Firmware versions by platform, newest last. */
export const firmware: Readonly<Record<string, readonly string[]>> = {
  esp8266: ['1.2.4', '1.3.0', '1.3.2'],
  esp32: ['2.0.1', '2.1.0', '2.2.3'],
  'esp32-s3': ['2.4.0', '3.0.0', '3.1.1'],
}

export const cartridges = [
  {
    model: 'PP-5',
    type: 0,
    resource: 12_000,
    ttl: 180,
    name: 'Sediment 5 µm',
    description: 'Melt-blown polypropylene against sand and rust.',
  },
  {
    model: 'PP-1',
    type: 0,
    resource: 10_000,
    ttl: 270,
    name: 'Sediment 1 µm',
    description: 'Fine polypropylene before the carbon block.',
  },
  {
    model: 'CTO-10',
    type: 0,
    resource: 15_000,
    ttl: 365,
    name: 'Carbon block 10 µm',
    description: 'Takes the chlorine that would harm the membrane.',
  },
  {
    model: 'TFC-75',
    type: 2,
    resource: 10_000,
    ttl: 730,
    name: 'Membrane 75 GPD',
    description: 'Thin-film composite, 280 litres a day.',
  },
  {
    model: 'TFC-100',
    type: 2,
    resource: 16_000,
    ttl: 900,
    name: 'Membrane 100 GPD',
    description: 'Thin-film composite, 380 litres a day.',
  },
  {
    model: 'TFC-400',
    type: 2,
    resource: 60_000,
    ttl: 1095,
    name: 'Membrane 400 GPD',
    description: 'For direct flow without a tank.',
  },
  {
    model: 'T33',
    type: 1,
    resource: 8000,
    ttl: 365,
    name: 'Coconut carbon',
    description: 'Polishes taste after the tank.',
  },
  {
    model: 'MIN-10',
    type: 1,
    resource: 6000,
    ttl: 365,
    name: 'Mineraliser',
    description: 'Gives back calcium and magnesium.',
  },
] as const

export const groups = ['Under-sink', 'Direct flow', 'Office', 'Mineral'] as const

/** Groups, cartridges and companies are indices in the arrays above. */
export const systems = [
  { model: 'FS-75', group: 0, cartridges: [0, 2, 3, 6], vendor: 0 },
  { model: 'FS-100', group: 0, cartridges: [0, 1, 2, 4, 6], vendor: 1 },
  { model: 'FS-75 Eco', group: 0, cartridges: [1, 2, 3, 6], vendor: 2 },
  { model: 'FS-400', group: 1, cartridges: [0, 2, 5, 6], vendor: 0 },
  { model: 'FS-400 Twin', group: 1, cartridges: [0, 1, 2, 5, 5, 6], vendor: 3 },
  { model: 'FS-400 Slim', group: 1, cartridges: [2, 5, 6], vendor: 4 },
  { model: 'OF-1200', group: 2, cartridges: [0, 1, 2, 5, 5, 6], vendor: 1 },
  { model: 'OF-800', group: 2, cartridges: [0, 1, 2, 5, 6], vendor: 2 },
  { model: 'OF-800 UV', group: 2, cartridges: [0, 2, 5, 6], vendor: 5 },
  { model: 'MN-75', group: 3, cartridges: [0, 2, 3, 7], vendor: 3 },
  { model: 'MN-100', group: 3, cartridges: [0, 1, 2, 4, 7], vendor: 4 },
  { model: 'MN-400', group: 3, cartridges: [0, 2, 5, 7], vendor: 5 },
] as const
