/** Commands that copy or download what the server issues once: a sharing code, the credentials of new devices. */
import { toCsv } from '../../domain/csv.ts'
import { deviceRoles } from '../../domain/roles.ts'
import { overlay, type Credential } from '../../store/overlays.ts'
import { defineCommand } from '../core/defineCommand.ts'
import type { Needs } from '../core/types.ts'

/** Only the dialog that shows a secret offers these commands. */
const secretCommand = { group: 'control', keysOnly: true, roles: deviceRoles } as const

const shownCode: Needs<string> = () => {
  if (!overlay.share) return { blocked: 'No sharing code is shown' }
  const { code, expiresAt } = overlay.share
  return Date.parse(expiresAt) > Date.now() ? { target: code } : { blocked: 'This code has expired' }
}

const shownCredentials: Needs<readonly Credential[]> = () =>
  overlay.credentials ? { target: overlay.credentials.list } : { blocked: 'No credentials are shown' }

const credentialsCsv = (list: readonly Credential[]): string =>
  toCsv([['bssid', 'secret'], ...list.map(({ bssid, secret }) => [bssid, secret])])

/** Marks the shown credentials as saved, unless more of them have arrived since: those are not saved yet. */
function markSaved(list: readonly Credential[], how: string): void {
  if (overlay.credentials?.list === list) overlay.credentials.savedAs = how
}

export const oneTimeSecretCommands = [
  defineCommand({
    ...secretCommand,
    id: 'device.copyCode',
    on: ['sharingCode'],
    title: 'Copy sharing code',
    icon: 'copy',
    needs: shownCode,
    async run(code, _, { copy }) {
      await copy(code, 'select the code and copy it yourself')
      return 'Code copied'
    },
  }),
  defineCommand({
    ...secretCommand,
    id: 'device.copyCredentials',
    on: ['credentials'],
    title: 'Copy credentials',
    icon: 'copy',
    needs: shownCredentials,
    async run(list, _, { copy }) {
      await copy(credentialsCsv(list), 'download them instead')
      markSaved(list, 'Copied')
    },
  }),
  defineCommand({
    ...secretCommand,
    id: 'device.downloadCredentials',
    on: ['credentials'],
    title: 'Download credentials',
    icon: 'download',
    needs: shownCredentials,
    run(list, _, { save }) {
      // Windows allows no colons in file names.
      const name = `device-credentials-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}Z.csv`
      save(name, new Blob([credentialsCsv(list)], { type: 'text/csv' }))
      markSaved(list, `Downloaded as ${name}`)
    },
  }),
]
