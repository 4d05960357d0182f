/** What each list has of its own beside its columns: a row for each but the devices, which have a screen of their own. */
import type { ReactNode } from 'react'
import type { Row } from '../../api/lists.ts'
import type { Cells } from '../../commands/surfaces/list/columns.tsx'
import type { EmptyList } from '../../commands/surfaces/list/ListEmpty.tsx'
import type { FormValues } from '../../commands/surfaces/list/ListPanel.tsx'
import { missing } from '../../domain/format.ts'
import type { RowEntity } from '../../store/lists.ts'
import type { Session } from '../../store/session.ts'
import { Blocked, LinkCell } from '../../ui/table/cells.tsx'
import { auditCells } from './auditCells.tsx'

interface ListLook<E extends RowEntity> {
  readonly empty: EmptyList
  /** Cells that are more than their column's text. */
  readonly cells?: Cells<E>
  /** What the forms of the side panel show of a row, by command and field. */
  readonly values?: (row: Row<E>) => FormValues
  /** What the forms of something new show at first. */
  readonly initial?: (session: Readonly<Session>) => FormValues
}

const status = (row: { readonly status: boolean }): ReactNode => <Blocked blocked={row.status} />

export const listLooks: { readonly [E in RowEntity]: ListLook<E> } = {
  models: {
    empty: { text: 'There are no device models yet.', command: 'models.create' },
    cells: { company_name: row => row.company_name || missing },
    values: row => ({
      'models.edit': {
        ...row,
        vendors: row.vendors.map(vendor => ({ value: vendor._id, name: vendor.company_name })),
      },
    }),
    // A vendor makes models for itself.
    initial: ({ userId, userRole, login }) => ({
      'models.create': userRole === 'vendor' ? { vendors: [{ value: userId, name: login }] } : {},
    }),
  },
  filtrationSystems: {
    empty: {
      text: 'There are no filtration systems yet. Upload a file of them to begin.',
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
    empty: { text: 'There are no groups yet. Upload a file of them to begin.', command: 'groups.upload' },
    values: row => ({ 'groups.edit': row }),
  },
  cartridgeTypes: {
    empty: {
      text: 'There are no cartridge types yet. Upload a file of them to begin.',
      command: 'cartridgeTypes.upload',
    },
    cells: {
      purchase_url: row => <LinkCell address={row.purchase_url} />,
      image_url: row => <LinkCell address={row.image_url} />,
    },
    values: row => ({ 'cartridgeTypes.edit': row }),
  },
  admins: {
    empty: { text: 'There are no administrators yet.', command: 'admins.create' },
    cells: { status },
  },
  vendors: {
    empty: { text: 'There are no vendors yet.', command: 'vendors.create' },
    cells: { status },
    values: row => ({ 'vendors.edit': row }),
  },
  users: {
    empty: { text: 'No end user has an account yet. They sign up in the mobile app.' },
    cells: { status },
  },
  audit: { empty: { text: 'Nothing has been changed yet.' }, cells: auditCells },
}

/** The row of a list. */
export const listLook = <E extends RowEntity>(entity: E): ListLook<E> => listLooks[entity]
