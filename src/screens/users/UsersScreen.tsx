import { ListScreen } from '../../commands/surfaces/list/ListScreen.tsx'
import { columns } from './columns.tsx'

export function UsersScreen() {
  return (
    <ListScreen
      entity="users"
      title="Users"
      columns={columns}
      whenNone={
        <div className="grid justify-items-center gap-3">
          <p>No end user has an account yet. They sign up in the mobile app.</p>
        </div>
      }
    />
  )
}
