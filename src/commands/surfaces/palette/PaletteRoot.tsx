import { Command as Menu } from 'cmdk'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { useSnapshot } from 'valtio'
import { findDevices } from '../../../api/search.ts'
import { findEntities } from '../../../api/searchEntities.ts'
import type { Device } from '../../../api/contract/devices.ts'
import type { Role } from '../../../domain/roles.ts'
import { closePalette } from '../../../store/overlays.ts'
import { registryState } from '../../core/registry.ts'
import { currentContext } from '../../core/context.ts'
import { candidates, type CommandMatch } from '../../palette/search.ts'
import { chordOf, isApple, keycaps } from '../../keys/keymap.ts'
import { keysOf } from '../../keys/bindings.ts'
import { countOf } from '../../core/wording.ts'
import { commandOf } from '../../commands.ts'
import { undoText } from '../../jobs/undo.ts'
import { Icon } from '../buttons/Icon.tsx'
import { choose, copyLinkTo } from './paletteActions.ts'
import { CommandSection, DeviceSection, ThingSection } from './PaletteSections.tsx'
import { PaletteFoot, type Hint } from './PaletteFoot.tsx'
import { PaletteStatus } from './PaletteStatus.tsx'
import { pressRow, stepRow, useActiveRow } from './useActiveRow.ts'
import { useDeferredSections } from './useDeferredSections.ts'
import { useFinds } from './usePaletteFinds.ts'
import { useSections } from './useSections.ts'

/** What a query is narrowed to by the sign that it begins with. */
const modes = {
  '>': { does: 'commands', name: 'Only commands', finds: 'view.palette' },
  '@': { does: 'devices', name: 'Devices by id, description, company', finds: 'device.find' },
  '#': { does: 'systems …', name: 'Filtration systems, models, vendors', finds: 'list.find' },
} as const
type Mode = keyof typeof modes
/** Those whose finds the role may have. */
const modesFor = (role: Role | undefined): readonly Mode[] =>
  (Object.keys(modes) as Mode[]).filter(sign => role !== undefined && commandOf(modes[sign].finds).roles.includes(role))
/** Cyrillic layouts have № where others have #. */
const modeOf = (query: string, offered: readonly Mode[]): Mode | undefined =>
  offered.find(sign => query.startsWith(sign) || (sign === '#' && query.startsWith('№')))

const wordsOfDevice = (device: Device) => `${device.bssid}\n${device.description}\n${device.vendor.company_name}`
const wordsOfThing = (thing: { name: string; detail: string }) => `${thing.name}\n${thing.detail}`
/** Fewer characters are in too many ids. */
const minForDevices = 2

/** What may be looked for: commands by section, then devices, then what they are made of. */
export function PaletteRoot(props: {
  query: string
  input: RefObject<HTMLInputElement | null>
  onQuery: (query: string) => void
}) {
  const { query, input, onQuery } = props
  const [value, setValue] = useState('')
  const [copied, setCopied] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  useActiveRow(root)
  const { version } = useSnapshot(registryState)
  const [opened] = useState(() => Date.now())
  // What is selected cannot change while the palette has the keys, so one look at it serves every keystroke.
  const { context, all } = useMemo(() => {
    void version
    const now = currentContext()
    return { context: now, all: candidates(now, opened) }
  }, [version, opened])
  const { role } = context
  const offered = modesFor(role)
  const mode = modeOf(query, offered)
  const text = mode ? query.slice(1).trimStart() : query
  const sections = useSections(text, mode === undefined || mode === '>' ? all : none, context)
  const shown = useDeferredSections(sections)

  const short = text.trim().length < minForDevices
  const ofDevices = mode !== '>' && mode !== '#' && offered.includes('@') && !short
  const devices = useFinds(ofDevices ? text : undefined, findDevices, wordsOfDevice)
  const things = useFinds(mode === '#' ? text : undefined, useThings(role), wordsOfThing)

  const entries = sections.flatMap(section => section.entries)
  const [firstThing] = things.found
  const first =
    entries[0]?.command.id ?? devices.found[0]?.bssid ?? (firstThing && `${firstThing.entity} ${firstThing.id}`) ?? ''
  const listed = [
    ...entries.map(entry => entry.command.id),
    ...devices.found.map(({ bssid }) => bssid),
    ...things.found.map(thing => `${thing.entity} ${thing.id}`),
  ].includes(value)
  // Typing goes to the first row; an answer that arrives later leaves the row that one has moved to under Enter.
  const movedAt = useRef<string>(undefined)
  const noteMove = () => void (movedAt.current = query)
  useEffect(() => {
    if (movedAt.current === query && listed) return
    movedAt.current = undefined
    setValue(first)
  }, [first, query, listed])
  useEffect(() => setCopied(false), [query, value])
  const active = entries.find(entry => entry.command.id === value)

  const entity = context.list?.entity ?? 'devices'
  const count = context.targets(entity).length
  const asking = devices.state === 'asking' || things.state === 'asking'
  const failed = devices.state === 'failed' || things.state === 'failed'
  const empty = emptyText(asking, failed, mode === '@' && short)

  const copy = () => active && void copyLinkTo(active.command.id, active.ahead?.given ?? []).then(setCopied)
  const askForAll = () => active && !active.blocked && choose(active, true)
  const narrow = (sign: Mode) => {
    onQuery(mode === sign ? text : `${sign}${text}`)
    input.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const chord = chordOf(event.nativeEvent, isApple())
    const act =
      chord !== undefined && keysOf(commandOf('link.copy')).includes(chord)
        ? copy
        : chord === 'Tab' && active?.ahead
          ? askForAll
          : undefined
    if (event.nativeEvent.isComposing) return
    if (!act) {
      return stepRow(event, root.current, to => {
        noteMove()
        setValue(to)
      })
    }
    event.preventDefault()
    act()
  }
  const [linkKeys] = keysOf(commandOf('link.copy'))
  const hints: readonly Hint[] = [
    {
      caps: ['↵'],
      does: 'run',
      command: 'view.palette',
      act: () => pressRow(root.current),
    },
    // Who types arguments ahead has narrowed enough.
    ...(active?.ahead
      ? [{ caps: ['⇥'], does: 'the rest', name: 'Ask for the rest', command: active.command.id, act: askForAll }]
      : offered.map(sign => ({
          caps: [sign],
          does: modes[sign].does,
          name: modes[sign].name,
          command: 'view.palette',
          act: () => narrow(sign),
        }))),
    ...(active
      ? [
          {
            caps: linkKeys ? keycaps(linkKeys, isApple()) : [],
            does: copied ? 'link copied' : 'copy link',
            command: 'link.copy',
            act: copy,
          },
        ]
      : []),
    { caps: ['Esc'], does: 'close', command: 'view.palette', act: closePalette },
  ]

  return (
    <>
      <Menu
        ref={root}
        label="Commands"
        shouldFilter={false}
        vimBindings={false}
        loop
        value={value}
        onValueChange={setValue}
        onKeyDown={onKeyDown}
        onPointerMove={noteMove}
      >
        <div className="flex h-[50px] items-center gap-2.5 border-b border-line px-4 text-[15px]">
          <Icon name="search" />
          {count > 0 && (
            <span className="rounded-md bg-accent-soft px-2 py-0.5 text-[11px] font-medium whitespace-nowrap text-accent">
              {countOf(count, entity)}
            </span>
          )}
          <Menu.Input
            ref={input}
            data-command="view.palette"
            autoFocus
            value={query}
            placeholder={offered.includes('@') ? 'Search devices or run a command' : 'Run a command'}
            className="h-7 min-w-0 flex-1 bg-transparent outline-none"
            onValueChange={onQuery}
          />
        </div>
        <Menu.List className="max-h-[min(60vh,420px)] overflow-auto px-1.5 pb-1.5">
          <Menu.Empty className="p-6 text-center text-ink2">{empty}</Menu.Empty>
          {shown.map(section => (
            <CommandSection key={section.title} section={section} context={context} onChoose={chooseReady} />
          ))}
          <DeviceSection devices={devices.found} query={text} />
          <ThingSection things={things.found} query={text} />
          {failed && entries.length > 0 && (
            <p className="px-2.5 py-2 text-ink3">Devices cannot be searched right now.</p>
          )}
        </Menu.List>
      </Menu>
      <PaletteFoot hints={hints} note={active && !active.blocked ? undoText(active.command) : undefined} />
      <PaletteStatus
        counts={[
          [entries.length, 'command', 'commands'],
          [devices.found.length, 'device', 'devices'],
          [things.found.length, 'system, model or vendor', 'systems, models or vendors'],
        ]}
        empty={empty}
        settled={!asking}
        note={copied ? 'Link copied' : undefined}
      />
    </>
  )
}

const none: readonly never[] = []
const nothingThere = () => Promise.resolve<Awaited<ReturnType<typeof findEntities>>>([])

/** Finds what the role may see; the same function for as long as the role stays. */
const useThings = (role: Role | undefined) =>
  useMemo(() => (role ? (text: string, signal: AbortSignal) => findEntities(text, role, signal) : nothingThere), [role])

function chooseReady(entry: CommandMatch): void {
  if (!entry.blocked) choose(entry)
}

function emptyText(asking: boolean, failed: boolean, short: boolean): string {
  if (short) return 'Type two characters of an id, a description or a company.'
  if (asking) return 'Searching…'
  return failed ? 'The server cannot be reached right now. Type on to try again.' : 'Nothing is called that.'
}
