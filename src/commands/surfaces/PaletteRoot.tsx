import { Command as Menu } from 'cmdk'
import { useEffect, useMemo, useState } from 'react'
import { findDevices } from '../../api/search.ts'
import { statuses } from '../../domain/device.ts'
import type { Device } from '../../api/contract/devices.ts'
import { closePalette } from '../../store/overlays.ts'
import type { Command } from '../command.ts'
import { currentContext, type Context } from '../context.ts'
import { takesFile } from '../fields.ts'
import { found, type Found } from '../found.ts'
import { commandOf } from '../registry.ts'
import { CommandKeys } from './CommandButton.tsx'
import { Highlight } from './Highlight.tsx'
import { run } from './run.ts'
import { Icon } from './Icon.tsx'

/** What the query finds: commands by section, then devices. */
export function PaletteRoot({ query, onFirst }: { query: string; onFirst: (value: string) => void }) {
  const onlyDevices = query.startsWith('@')
  const onlyCommands = query.startsWith('>')
  const text = query.replace(/^[@>]\s*/, '')
  // What is selected cannot change while the palette has the keys, so one look at it serves every keystroke.
  const context = useMemo(currentContext, [])
  const [opened] = useState(() => Date.now())
  const sections = useMemo(
    () => (onlyDevices ? [] : found(text, context, opened)),
    [text, onlyDevices, context, opened],
  )
  const findable = context.role !== undefined && commandOf('device.find').roles.includes(context.role)
  const devices = useDevicesLike(onlyCommands || !findable ? '' : text)

  const first = sections[0]?.entries[0]?.command.id ?? devices[0]?.bssid ?? ''
  useEffect(() => onFirst(first), [first, query, onFirst])

  return (
    <Menu.List className="max-h-[min(60vh,420px)] overflow-auto px-1.5 pb-1.5">
      <Menu.Empty className="p-6 text-center text-ink2">Nothing is called that.</Menu.Empty>
      {sections.map(section => (
        <Menu.Group key={section.title} heading={section.title} className="palette-group">
          {section.entries.map(entry => (
            <Entry key={entry.command.id} entry={entry} query={text} context={context} />
          ))}
        </Menu.Group>
      ))}
      {devices.length > 0 && (
        <Menu.Group heading="Devices" className="palette-group">
          {devices.map(device => (
            <Menu.Item
              key={device.bssid}
              value={device.bssid}
              className="palette-item"
              onSelect={() => {
                closePalette()
                void run('device.find', { input: { device: device.bssid } })
              }}
            >
              <Icon name="device" />
              <span className="font-mono text-[12px]">
                <Highlight text={device.bssid} query={text} />
              </span>
              <span className="truncate text-ink3">
                {[device.description, device.vendor.company_name, statuses[device.status].label]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </Menu.Item>
          ))}
        </Menu.Group>
      )}
    </Menu.List>
  )
}

function Entry({ entry, query, context }: { entry: Found; query: string; context: Context }) {
  const { command, blocked } = entry
  return (
    <Menu.Item
      asChild
      value={command.id}
      onSelect={() => {
        if (!blocked) choose(command)
      }}
    >
      {/* An element of its own: the library states on its own that nothing is disabled. */}
      <div className={`palette-item ${blocked ? 'text-ink3' : ''}`} aria-disabled={blocked ? true : undefined}>
        {command.icon && <Icon name={command.icon} />}
        <span className="whitespace-nowrap">
          <Highlight text={command.label(context)} query={query} />
          {command.fields.length > 0 && '…'}
        </span>
        <span className="truncate text-ink3">{blocked ?? command.preview(context)}</span>
        <span className="ml-auto">
          <CommandKeys command={command} />
        </span>
      </div>
    </Menu.Item>
  )
}

/** Arguments are asked for in the palette, which stays; everything else runs after it has closed. */
function choose(command: Command): void {
  if (command.fields.length === 0 || takesFile(command)) closePalette()
  void run(command.id)
}

/** Milliseconds of quiet before the server is asked. */
const quiet = 120

function useDevicesLike(text: string): readonly Device[] {
  const [devices, setDevices] = useState<readonly Device[]>([])
  const wanted = text.trim().length >= 2 ? text : ''
  useEffect(() => {
    const stale = new AbortController()
    const ask = () =>
      findDevices(wanted, stale.signal).then(
        list => !stale.signal.aborted && setDevices(list),
        // Commands are found without the server, so the palette goes on; the connection's state is shown elsewhere.
        () => undefined,
      )
    const waiting = setTimeout(() => void ask(), wanted ? quiet : 0)
    return () => {
      clearTimeout(waiting)
      stale.abort()
    }
  }, [wanted])
  return wanted ? devices : []
}
