/** The configuration of each list's screen besides its columns. The devices' list has a screen of its own. */
import type { ReactNode } from 'react'
import type { Row } from '../../api/lists.ts'
import type { Cells } from '../../commands/surfaces/list/columns.tsx'
import type { EmptyList } from '../../commands/surfaces/list/ListEmpty.tsx'
import type { FormValues } from '../../commands/surfaces/list/ListPanel.tsx'
import { noValue } from '../../domain/format.ts'
import type { RowEntity } from '../../store/lists.ts'
import type { Session } from '../../store/session.ts'
import { AccountStatus, LinkCell } from '../../ui/table/cells.tsx'
import { FindingDetails } from './FindingDetails.tsx'
import { findingCells } from './findingCells.tsx'
import { auditCells } from './auditCells.tsx'

interface ListConfig<E extends RowEntity> {
  readonly empty: EmptyList
  /** Cells that render more than their column's text. */
  readonly cells?: Cells<E>
  /** Returns what the panel shows of a row above its columns. */
  readonly details?: (row: Row<E>) => ReactNode
  /** Returns the values of a row for the forms in the side panel, by command and field. */
  readonly values?: (row: Row<E>) => FormValues
  /** Returns the initial values of the forms that create a row. */
  readonly initial?: (session: Readonly<Session>) => FormValues
}

const status = (row: { readonly status: boolean }): ReactNode => <AccountStatus blocked={row.status} />

export const listConfigs: { readonly [E in RowEntity]: ListConfig<E> } = {
  models: {
    empty: { text: 'No device models yet.', command: 'models.create' },
    cells: { company_name: row => row.company_name || noValue },
    values: row => ({
      'models.edit': {
        ...row,
        vendors: row.vendors.map(vendor => ({ value: vendor._id, name: vendor.company_name })),
      },
    }),
    // A vendor's models are offered to itself.
    initial: ({ userId, userRole, login }) => ({
      'models.create': userRole === 'vendor' ? { vendors: [{ value: userId, name: login }] } : {},
    }),
  },
  filtrationSystems: {
    empty: {
      text: 'No filtration systems yet. Upload a file to add some.',
      command: 'filtrationSystems.upload',
    },
    values: row => ({
      'filtrationSystems.edit': {
        ...row.flush,
        model: row.model,
        flushing: row.flushing,
        group: row.group ? { value: row.group._id, name: row.group.name } : undefined,
        cartridges: row.cartridges.map(cartridge => ({ value: cartridge._id, name: cartridge.model })),
      },
    }),
  },
  groups: {
    empty: { text: 'No groups yet. Upload a file to add some.', command: 'groups.upload' },
    values: row => ({ 'groups.edit': row }),
  },
  cartridgeTypes: {
    empty: {
      text: 'No cartridge types yet. Upload a file to add some.',
      command: 'cartridgeTypes.upload',
    },
    cells: {
      purchase_url: row => <LinkCell address={row.purchase_url} />,
      image_url: row => <LinkCell address={row.image_url} />,
    },
    values: row => ({ 'cartridgeTypes.edit': row }),
  },
  admins: {
    empty: { text: 'No admins yet.', command: 'admins.create' },
    cells: { status },
  },
  vendors: {
    empty: { text: 'No vendors yet.', command: 'vendors.create' },
    cells: { status },
    values: row => ({ 'vendors.edit': row }),
  },
  users: {
    empty: { text: 'No end users yet. They sign up in the mobile app.' },
    cells: { status },
  },
  findings: {
    empty: { text: 'No findings yet. They appear here when the readings of a device change.' },
    cells: findingCells,
    details: finding => <FindingDetails finding={finding} />,
  },
  audit: { empty: { text: 'No changes yet.' }, cells: auditCells },
  servers: { empty: { text: 'No server has reported yet.' } },
}

/** Returns the configuration of a list. */
export const listConfig = <E extends RowEntity>(entity: E): ListConfig<E> => listConfigs[entity]
