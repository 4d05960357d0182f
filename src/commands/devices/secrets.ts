/** Taking along what the server issues once: a sharing code, the credentials of new devices. */
import { toCsv } from '../../domain/csv.ts'
import { deviceRoles } from '../../domain/roles.ts'
import { overlay, type Credential } from '../../store/overlays.ts'
import { defineCommand, type Needs } from '../core/command.ts'

/** Only the dialog that shows it has something to give. */
const ofDialog = { group: 'control', keysOnly: true, on: ['dialog'], roles: deviceRoles } as const

const shownCode: Needs<string> = () =>
  overlay.share ? { target: overlay.share.code } : { blocked: 'No sharing code is shown' }

const shownCredentials: Needs<readonly Credential[]> = () =>
  overlay.credentials ? { target: overlay.credentials.list } : { blocked: 'No credentials are shown' }

const tableOf = (list: readonly Credential[]): string =>
  toCsv([['bssid', 'secret'], ...list.map(({ bssid, secret }) => [bssid, secret])])

async function copy(text: string, otherwise: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    throw new Error(`The browser does not allow copying here: ${otherwise}`)
  }
}

/** Others that came meanwhile are shown besides, and not kept yet. */
function keep(list: readonly Credential[], how: string): void {
  if (overlay.credentials?.list === list) overlay.credentials.kept = how
}

export const oneTimeSecretCommands = [
  defineCommand({
    ...ofDialog,
    id: 'device.copyCode',
    title: 'Copy the sharing code',
    icon: 'copy',
    needs: shownCode,
    async run(code) {
      await copy(code, 'select the code and copy it yourself')
      return 'Code copied'
    },
  }),
  defineCommand({
    ...ofDialog,
    id: 'device.copyCredentials',
    title: 'Copy the credentials',
    icon: 'copy',
    needs: shownCredentials,
    async run(list) {
      await copy(tableOf(list), 'download them instead')
      keep(list, 'Copied')
    },
  }),
  defineCommand({
    ...ofDialog,
    id: 'device.downloadCredentials',
    title: 'Download the credentials',
    icon: 'download',
    needs: shownCredentials,
    run(list, _, { save }) {
      // Colons are no part of a file's name everywhere.
      const name = `device-credentials-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}Z.csv`
      save(name, new Blob([tableOf(list)], { type: 'text/csv' }))
      keep(list, `Downloaded as ${name}`)
    },
  }),
]
