/** What is exported of a list is what its screen shows, and in the same order. */
import { renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { columnsOf } from '../../../../src/api/lists.ts'
import { listColumns } from '../../../../src/commands/export/listColumns.ts'
import { defaultUnits } from '../../../../src/domain/units.ts'
import { columns as admins } from '../../../../src/screens/admins/columns.tsx'
import { useCartridgeTypesColumns } from '../../../../src/screens/cartridgeTypes/columns.tsx'
import { deviceColumns } from '../../../../src/screens/devices/columns.tsx'
import { useFiltrationSystemsColumns } from '../../../../src/screens/filtrationSystems/columns.tsx'
import { columns as groups } from '../../../../src/screens/groups/columns.tsx'
import { columns as audit } from '../../../../src/screens/history/columns.tsx'
import { useModelsColumns } from '../../../../src/screens/models/columns.tsx'
import { columns as users } from '../../../../src/screens/users/columns.tsx'
import { columns as vendors } from '../../../../src/screens/vendors/columns.tsx'
import { entities, type Entity } from '../../../../src/store/lists.ts'

const shown: Record<Entity, () => readonly { id: string }[]> = {
  devices: () => deviceColumns(defaultUnits),
  models: useModelsColumns,
  filtrationSystems: useFiltrationSystemsColumns,
  groups: () => groups,
  cartridgeTypes: useCartridgeTypesColumns,
  admins: () => admins,
  vendors: () => vendors,
  users: () => users,
  audit: () => audit,
}

test.each(entities)('%s', entity => {
  const { result } = renderHook(shown[entity])
  const exported = listColumns[entity].map(({ id }) => id)
  expect(exported).toEqual(result.current.map(({ id }) => id))
  // Whatever can be searched for can be exported.
  for (const column of Object.keys(columnsOf(entity).by)) expect(exported).toContain(column)
})
