/** Every surface shows exactly the commands that name it, and those that its component adds. */
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router-dom'
import { SWRConfig } from 'swr'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DeviceDetail } from '../../../../src/api/contract/devices.ts'
import type { Event } from '../../../../src/api/contract/events.ts'
import type { CommandId } from '../../../../src/commands/core/commandId.ts'
import { currentContext, appliesHere } from '../../../../src/commands/core/context.ts'
import type { Surface } from '../../../../src/commands/core/presentation.ts'
import { commandsOn, findCommand } from '../../../../src/commands/core/registry.ts'
import { beginJob, endJob } from '../../../../src/commands/core/runs/jobRuns.ts'
import { jobs } from '../../../../src/commands/core/runs/jobs.ts'
import { ListExportMenu } from '../../../../src/commands/surfaces/buttons/ExportMenu.tsx'
import { AccountMenu, ColumnsMenu, RowMenu, SelectMenu } from '../../../../src/commands/surfaces/buttons/menus.tsx'
import { CredentialsDialog } from '../../../../src/commands/surfaces/dialogs/CredentialsDialog.tsx'
import { hideApiKey, hideShownOnce, showRecoveryCodes, shownOnce } from '../../../../src/commands/people/shownOnce.ts'
import { KeySheet } from '../../../../src/commands/surfaces/keys/KeySheet.tsx'
import { tour } from '../../../../src/commands/tour/state.ts'
import { StatusBar } from '../../../../src/commands/surfaces/keys/StatusBar.tsx'
import { ListPanel } from '../../../../src/commands/surfaces/list/ListPanel.tsx'
import { Pager } from '../../../../src/commands/surfaces/list/Pager.tsx'
import { SelectionBar } from '../../../../src/commands/surfaces/list/SelectionBar.tsx'
import { Toolbar } from '../../../../src/commands/surfaces/list/Toolbar.tsx'
import { ScriptsScreen } from '../../../../src/screens/scripts/ScriptsScreen.tsx'
import type { Role } from '../../../../src/domain/roles.ts'
import { routes } from '../../../../src/domain/lists/routes.ts'
import { defaultUnits } from '../../../../src/domain/units.ts'
import { CalendarToolbar } from '../../../../src/screens/calendar/CalendarToolbar.tsx'
import { EventInfo } from '../../../../src/screens/calendar/EventInfo.tsx'
import { ChartsToolbar } from '../../../../src/screens/charts/ChartsToolbar.tsx'
import { DeviceHead } from '../../../../src/screens/devices/DeviceHead.tsx'
import { HealthActions } from '../../../../src/screens/devices/health/HealthActions.tsx'
import { JobsToolbar } from '../../../../src/screens/jobs/JobsToolbar.tsx'
import { localEntry } from '../../../../src/commands/jobs/entries.ts'
import { ServerJobDetail } from '../../../../src/screens/jobs/ServerJobDetail.tsx'
import { serverJob } from '../../support/serverJobs.ts'
import { JobDetail } from '../../../../src/screens/jobs/JobDetail.tsx'
import { NotificationToolbar } from '../../../../src/screens/notifications/NotificationToolbar.tsx'
import { ApiKeys } from '../../../../src/screens/profile/ApiKeys.tsx'
import { SecondFactor } from '../../../../src/screens/profile/SecondFactor.tsx'
import { Sessions } from '../../../../src/screens/profile/Sessions.tsx'
import { ProfileScreen } from '../../../../src/screens/profile/ProfileScreen.tsx'
import { KeyBindings } from '../../../../src/screens/settings/KeyBindings.tsx'
import { AlarmActions } from '../../../../src/screens/overview/AlarmLoad.tsx'
import { UnitChoices } from '../../../../src/screens/settings/UnitChoices.tsx'
import { Dialogs } from '../../../../src/shell/dialogs.tsx'
import { Tour } from '../../../../src/shell/Tour.tsx'
import { DeviceChips } from '../../../../src/screens/charts/DeviceChips.tsx'
import { TopBar } from '../../../../src/shell/TopBar.tsx'
import { SideNavigation } from '../../../../src/shell/SideNavigation.tsx'
import { charts } from '../../../../src/store/charts.ts'
import { overlay } from '../../../../src/store/overlays.ts'
import { layout, type PanelTab } from '../../../../src/store/layout.ts'
import type { Entity } from '../../../../src/store/lists.ts'
import { preferences } from '../../../../src/store/preferences.ts'
import { openRowMenu, rowMenu } from '../../../../src/store/rowMenu.ts'
import { selections, type AnyItem, type DeviceItem } from '../../../../src/store/selection.ts'
import { clearSession, setSession } from '../../../../src/store/session.ts'
import * as profile from '../../../../src/api/useProfile.ts'

interface SurfaceCase {
  /** The path of its screen. */
  readonly path: string
  readonly role?: Role
  draw(): ReactNode
  /** The name of the menu button that shows it. */
  readonly menu?: string
  /** Commands that the component adds itself. */
  readonly besides?: readonly CommandId[]
  /** Other surfaces that the same component renders. */
  readonly with?: readonly Surface[]
  /** Whether the window is narrow. */
  readonly narrow?: boolean
  /** Restricts the commands to those of this entity. */
  readonly entity?: Entity
}

const device: DeviceItem = { id: 'A4', name: 'A4', vendor: 'v', company: 'C', status: 0, platform: 'esp32' }
const event: Event = {
  _id: 'e',
  title: 'Service',
  description: '',
  start: '2026-03-03T08:00:00.000Z',
  end: '2026-03-03T09:00:00.000Z',
  devices: ['A4'],
  device_count: 1,
  created_by: '1',
}

const panel = (tab: PanelTab, entity: Entity, item: AnyItem): SurfaceCase => ({
  path: routes[entity].path,
  entity,
  with: tab === 'settings' ? ['settings', 'update', 'panelHead'] : [tab as Surface, 'panelHead'],
  besides: ['view.panel', 'view.panelTab', 'devices.template'],
  draw() {
    layout.panelTab = tab
    return (
      <ListPanel
        entity={entity}
        targets={[item]}
        width={380}
        onClose={() => undefined}
        info="Info"
        values={undefined}
      />
    )
  },
})

const job = () =>
  beginJob({
    command: 'device.flush',
    title: 'Flush',
    entity: 'devices',
    targets: [device, { ...device, id: 'A5' }],
    skipped: [],
    input: {},
    again: undefined,
    inverse: undefined,
  })
const failure = { id: 'A5', message: 'No' }
function endedJob() {
  const ended = job()
  endJob(ended, { outcome: { done: ['A4'], failed: [failure] }, message: undefined, before: [] })
  return ended
}

const chartsToolbar: SurfaceCase = {
  path: '/charts',
  with: ['chartsRange', 'chartsTime', 'chartsZoom', 'chartsShow'],
  besides: ['charts.zone'],
  draw() {
    Object.assign(charts, { until: '2026-03-03T08:00:00.000Z', zoom: { from: 0, to: 1 } })
    return <ChartsToolbar dateRange="3 March" viewerZone="UTC" devices={2} />
  },
}
const calendarToolbar: SurfaceCase = {
  path: '/calendar',
  with: ['calendar', 'calendarFilters', 'calendarTime', 'calendarViews', 'panelToggle'],
  draw: () => <CalendarToolbar view="week" title="March" events={[]} />,
}
const deviceHead: SurfaceCase = {
  path: '/devices/A4',
  with: ['device', 'deviceHead', 'deviceSteps', 'panelToggle'],
  draw: () =>
    [true, false].map(locked => (
      <DeviceHead key={String(locked)} bssid="A4" device={{ status: 0, locked } as DeviceDetail} />
    )),
}

const topBar: SurfaceCase = {
  path: '/devices',
  with: ['topBarStart', 'topBarEnd', 'topBarLinks'],
  // The palette's field, and the button of the account menu.
  besides: ['view.palette', 'session.logout'],
  draw: () => <TopBar pathname="/devices" />,
}

const notificationToolbar: SurfaceCase = {
  path: '/notifications',
  with: ['notifications', 'notificationFilters'],
  draw: () => <NotificationToolbar count={3} />,
}

const jobDetail: SurfaceCase = {
  path: '/jobs',
  with: ['job', 'jobHead'],
  besides: ['job.filter', 'job.down', 'job.open', 'job.parent'],
  draw: () => {
    const common = { view: { ...jobs.view }, handledMove: { current: 0 }, alone: true }
    return (
      <>
        {[job(), endedJob()].map(one => (
          <JobDetail key={one.id} job={one} {...common} />
        ))}
        <ServerJobDetail
          job={serverJob({ parent: 'first', kind: 'retry', state: 'scheduled' })}
          undone={false}
          {...common}
        />
      </>
    )
  },
}

/** A component whose call to the server is answered with this. */
const answered = (response: unknown, children: ReactNode) => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ data: response })))
  return <SWRConfig value={{ provider: () => new Map() }}>{children}</SWRConfig>
}

const healthActions: SurfaceCase = {
  path: '/devices/A4',
  with: ['health', 'healthRange'],
  draw: () => <HealthActions />,
}

const alarmActions: SurfaceCase = {
  path: '/overview',
  with: ['overview', 'overviewRange'],
  draw: () => <AlarmActions />,
}

/** The component of each surface; a surface without an entry does not compile. */
const surfaces: Record<Surface, SurfaceCase> = {
  control: panel('control', 'devices', device),
  settings: panel('settings', 'devices', device),
  update: panel('settings', 'vendors', { ...device, row: { _id: 'A4' } } as unknown as AnyItem),
  assign: panel('assign', 'filtrationSystems', device),
  create: panel('create', 'devices', device),
  row: {
    path: '/devices',
    draw() {
      openRowMenu({ x: 1, y: 1 }, 'devices', device)
      return <RowMenu />
    },
  },
  select: { path: '/devices', draw: () => <SelectMenu />, menu: 'Select' },
  account: { path: '/devices', draw: () => <AccountMenu login="admin">Account</AccountMenu>, menu: 'Account admin' },
  columns: {
    path: '/devices',
    draw: () => <ColumnsMenu entity="devices" columns={[{ id: 'status', title: 'Status' }]} />,
    menu: 'Columns',
    besides: ['list.columns'],
  },
  listMore: {
    path: '/devices',
    entity: 'devices',
    narrow: true,
    menu: 'More',
    with: ['toolbar', 'panelToggle'],
    besides: ['list.searchBy', 'list.focusSearch'],
    draw: () => <Toolbar entity="devices" columns={[]} />,
  },
  listExport: {
    path: '/devices',
    entity: 'devices',
    menu: 'Export',
    draw: () => <ListExportMenu entity="devices" />,
  },
  chartsMore: {
    ...chartsToolbar,
    narrow: true,
    menu: 'More',
    with: [...chartsToolbar.with!, 'chartsMore'],
  },
  status: { path: '/devices', draw: () => <StatusBar /> },
  topBarStart: topBar,
  topBarEnd: topBar,
  topBarLinks: topBar,
  navigation: { path: '/devices', draw: () => <SideNavigation pathname="/devices" open isOverlay={false} /> },
  panelToggle: deviceHead,
  panelHead: panel('control', 'devices', device),
  toolbar: {
    path: '/devices',
    entity: 'devices',
    with: ['listExport', 'panelToggle'],
    besides: ['list.searchBy', 'list.focusSearch', 'list.columns'],
    draw: () => <Toolbar entity="devices" columns={[]} />,
  },
  pager: { path: '/devices', draw: () => <Pager entity="devices" count={100} />, besides: ['list.limit'] },
  selection: {
    path: '/devices',
    // The button of the selection menu has the id of its first command.
    besides: ['list.selectPage'],
    draw: () => <SelectionBar entity="devices" onPage={0} />,
  },
  device: deviceHead,
  deviceHead,
  deviceSteps: deviceHead,
  health: healthActions,
  healthRange: healthActions,
  overview: alarmActions,
  overviewRange: alarmActions,
  chartsRange: chartsToolbar,
  chartsTime: chartsToolbar,
  chartsZoom: chartsToolbar,
  chartsShow: chartsToolbar,
  chartsDevices: {
    path: '/charts',
    besides: ['charts.hide', 'charts.highlight', 'device.deselect'],
    draw() {
      selections.devices.replace([device, { ...device, id: 'A5' }], [])
      Object.assign(charts, { chosenDevices: ['A4'], onlyDevice: undefined })
      return <DeviceChips bssids={['A4']} states={[]} />
    },
  },
  calendar: calendarToolbar,
  calendarFilters: calendarToolbar,
  calendarTime: calendarToolbar,
  calendarViews: calendarToolbar,
  event: { path: '/calendar', draw: () => <EventInfo event={event} />, besides: ['device.open'] },
  notifications: notificationToolbar,
  notificationFilters: notificationToolbar,
  jobs: {
    path: '/jobs',
    draw: () => <JobsToolbar list={[job(), job(), endedJob()].map(localEntry)} count={3} />,
  },
  job: jobDetail,
  jobHead: jobDetail,
  units: { path: '/settings', draw: () => <UnitChoices /> },
  keys: {
    path: '/settings',
    draw: () => <KeyBindings />,
    besides: ['keys.find', 'view.bareKeys', 'keys.change', 'keys.clear', 'keys.reset'],
  },
  keySheet: {
    path: '/devices',
    besides: ['view.keys'],
    draw: () => <KeySheet />,
  },
  tour: {
    path: '/devices',
    draw() {
      tour.step = 0
      return <Tour />
    },
  },
  profile: { path: '/profile', role: 'vendor', draw: () => <ProfileScreen /> },
  recoveryCodes: {
    path: '/profile',
    draw() {
      showRecoveryCodes(['one', 'two'])
      return answered({ enabled: true, authenticator: true, required: false, recovery_codes: 2 }, <SecondFactor />)
    },
  },
  newApiKey: {
    path: '/profile',
    besides: ['apiKeys.create', 'apiKeys.createForVendor'],
    draw() {
      shownOnce.apiKey = { name: 'Key', key: 'secret' }
      return answered({ keys: [] }, <ApiKeys />)
    },
  },
  sessions: {
    path: '/profile',
    besides: ['sessions.end'],
    draw() {
      const own = { _id: '1', device: 'Firefox', address: null, seen_at: event.start, current: true }
      return answered({ sessions: [own, { ...own, _id: '2', current: false }] }, <Sessions />)
    },
  },
  scripts: { path: '/scripts', draw: () => <ScriptsScreen /> },
  credentials: {
    path: '/devices',
    // The command that the dialog belongs to.
    besides: ['device.upload'],
    draw: () => <CredentialsDialog list={[{ bssid: 'A4', secret: 's' }]} savedAs={undefined} />,
  },
  sharingCode: {
    path: '/devices',
    besides: ['device.share'],
    draw() {
      overlay.share = { bssid: 'A4', code: 'C0DE', expiresAt: '2100-01-01T00:00:00.000Z' }
      return <Dialogs />
    },
  },
}

const mediaQuery = (matches: boolean) =>
  ({ matches, addEventListener: () => undefined, removeEventListener: () => undefined }) as unknown as MediaQueryList

beforeEach(() => {
  vi.stubGlobal(
    'matchMedia',
    vi.fn(() => mediaQuery(false)),
  )
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = () => undefined
      unobserve = () => undefined
      disconnect = () => undefined
    },
  )
  vi.stubGlobal('fetch', () => new Promise(() => undefined))
  vi.spyOn(profile, 'useProfile').mockReturnValue({ data: { login: 'me' }, error: undefined } as unknown as ReturnType<
    typeof profile.useProfile
  >)
  selections.devices.replace([device], [])
  // The unit of flow can be chosen only for gallons.
  preferences.units.volume = 'gal'
})
afterEach(() => {
  cleanup()
  rowMenu.at = undefined
  overlay.share = undefined
  hideShownOnce()
  hideApiKey()
  jobs.list = []
  Object.assign(charts, { until: undefined, zoom: undefined })
  selections.devices.clear()
  preferences.units = { ...defaultUnits }
  clearSession()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const shown = () => [
  ...new Set([...document.querySelectorAll<HTMLElement>('[data-command]')].map(element => element.dataset['command']!)),
]

test.each(Object.entries(surfaces) as [Surface, SurfaceCase][])(
  '%s shows exactly the commands that name it',
  async (surface, at) => {
    const { role = 'admin', entity, besides = [], narrow = false } = at
    vi.mocked(window.matchMedia).mockReturnValue(mediaQuery(narrow))
    window.history.replaceState(undefined, '', at.path)
    setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: role, login: 'me' })
    render(<MemoryRouter>{at.draw()}</MemoryRouter>)
    if (at.menu) fireEvent.click(await screen.findByRole('button', { name: at.menu }))
    const named = (one: Surface) =>
      commandsOn(one)
        .filter(command => command.roles.includes(role) && appliesHere(command, currentContext()))
        .filter(command => !entity || !command.entity || command.entity === entity)
        .map(({ id }) => id)
    expect(named(surface).length).toBeGreaterThan(0)
    // The status bar shows only commands that are ready.
    const ready = (id: string) => surface !== 'status' || findCommand(id)?.availability(currentContext()).is === 'ready'
    await vi.waitFor(() => expect(shown()).toEqual(expect.arrayContaining(named(surface).filter(ready))))
    const allowed = new Set<string>([surface, ...(at.with ?? [])].flatMap(named))
    const byHand: readonly string[] = besides
    expect(shown().filter(id => !allowed.has(id) && !byHand.includes(id))).toEqual([])
  },
)
