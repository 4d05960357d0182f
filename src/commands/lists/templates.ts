/** Commands that download a template for uploads: a file with a header and one example row. */
import * as z from 'zod/mini'
import { withMeta } from '../../api/contract/fields.ts'
import { uploadColumns, type UploadColumn } from '../../domain/uploads.ts'
import { nounsOf } from '../../domain/lists/lists.ts'
import { roles, type Role } from '../../domain/roles.ts'
import { defineCommand } from '../core/defineCommand.ts'
import type { Needs } from '../core/types.ts'

type Uploaded = keyof typeof uploadColumns

const columnsOf =
  (entity: Uploaded): Needs<readonly UploadColumn[]> =>
  ({ role }) => {
    const byRole: Partial<Record<Role, readonly UploadColumn[]>> = uploadColumns[entity]
    const columns = role && byRole[role]
    return columns ? { target: columns } : { blocked: 'Your role cannot upload these' }
  }

export const templateCommands = (Object.keys(uploadColumns) as Uploaded[]).map(entity =>
  defineCommand({
    id: `${entity}.template`,
    title: `Download ${nounsOf(entity)[1]} template`,
    group: 'create',
    icon: 'download',
    screen: entity,
    keywords: ['upload', 'file', 'csv', 'excel', 'example'],
    roles: roles.filter(role => role in uploadColumns[entity]),
    needs: columnsOf(entity),
    args: z.object({ kind: withMeta(z.enum(['csv', 'xlsx']), { label: 'Type', names: ['CSV', 'Excel (xlsx)'] }) }),
    // The spreadsheet writer is as large as the rest of the console, so it is loaded on use.
    async run(columns, { kind }, { save }) {
      const { templateFile } = await import('./templateFile.ts')
      save(`${entity}-template.${kind}`, templateFile(entity, columns, kind))
    },
  }),
)
