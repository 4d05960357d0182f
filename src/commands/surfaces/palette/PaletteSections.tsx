import { Command as Menu } from 'cmdk'
import { memo } from 'react'
import { useSnapshot } from 'valtio'
import type { Device } from '../../../api/contract/devices.ts'
import type { EntityMatch, SearchableEntity } from '../../../api/searchEntities.ts'
import { statuses } from '../../../domain/device.ts'
import { routes } from '../../../domain/lists/routes.ts'
import { preferences } from '../../../store/preferences.ts'
import { Kbd } from '../../../ui/Kbd.tsx'
import type { Context } from '../../core/context.ts'
import type { CommandMatch, Section } from '../../palette/search.ts'
import { isApple } from '../../../store/platform.ts'
import { keycaps } from '../../keys/keymap.ts'
import { keysOf } from '../../keys/bindings.ts'
import type { InlineArguments } from '../../arguments/inlineArguments.ts'
import { policySummary } from '../../arguments/policyTexts.ts'
import { Chip } from './Chip.tsx'
import { Highlight } from './rows/Highlight.tsx'
import { Icon } from '../buttons/Icon.tsx'
import { chooseDevice, chooseEntity } from './paletteActions.ts'

export const CommandSection = memo(function CommandSection(props: {
  section: Section
  context: Context
  onChoose: (entry: CommandMatch) => void
}) {
  const { section, context, onChoose } = props
  const keyPreferences = useSnapshot(preferences)
  return (
    <Menu.Group heading={section.title} className="palette-group">
      {section.entries.map(entry => {
        const { command, blocked, inlineArguments } = entry
        const [first] = keysOf(command, keyPreferences)
        return (
          <Menu.Item key={command.id} asChild value={command.id} onSelect={() => onChoose(entry)}>
            {/* With asChild, the attributes of this element replace those of cmdk, which always has aria-disabled=false. */}
            <div
              data-command={command.id}
              className={`palette-item ${blocked ? 'text-ink3' : ''} ${inlineArguments ? 'gap-y-1 max-sm:flex-wrap' : ''}`}
              aria-disabled={blocked ? true : undefined}
            >
              {command.icon && <Icon name={command.icon} />}
              <span className="whitespace-nowrap">
                <Highlight text={entry.label} query={entry.nameQuery} />
                {command.fields.length > 0 && !inlineArguments && '…'}
              </span>
              <span
                className={`min-w-0 text-ink3 ${inlineArguments ? 'flex flex-wrap items-center gap-1.5 max-sm:order-last max-sm:basis-full' : 'truncate'}`}
              >
                {inlineArguments && <Chips inlineArguments={inlineArguments} />}
                {blocked ?? (inlineArguments?.policy ? undefined : command.preview(context))}
              </span>
              <span className="ml-auto">{first && <Kbd caps={keycaps(first, isApple())} />}</span>
            </div>
          </Menu.Item>
        )
      })}
    </Menu.Group>
  )
})

/** Returns how many options an argument matches, `(2 matches)`; undefined: they are loading. */
const matchesText = (matches: number | undefined): string =>
  matches === undefined ? '…' : `(${matches} ${matches === 1 ? 'match' : 'matches'})`

/** Shows how the inline arguments of a command are understood, and what of them is not. */
function Chips({ inlineArguments }: { inlineArguments: InlineArguments }) {
  const { parsed, unparsed, ambiguous, policy } = inlineArguments
  return (
    <>
      {parsed.map(({ field, text }) => (
        <Chip key={field.name}>
          {field.label}: {text}
        </Chip>
      ))}
      {ambiguous && (
        <Chip wrong={ambiguous.matches !== undefined}>
          {ambiguous.field.label}: {ambiguous.text} {matchesText(ambiguous.matches)}
        </Chip>
      )}
      {policy &&
        ('problem' in policy ? <Chip wrong>{policy.problem}</Chip> : <Chip>{policySummary(policy.policy)}</Chip>)}
      {unparsed.length > 0 && <Chip wrong>“{unparsed.join(' ')}” is not understood</Chip>}
    </>
  )
}

export function DeviceSection({ devices, query }: { devices: readonly Device[]; query: string }) {
  if (devices.length === 0) return null
  return (
    <Menu.Group heading="Devices" className="palette-group">
      {devices.map(device => (
        <Menu.Item
          key={device.bssid}
          value={device.bssid}
          data-command="device.find"
          className="palette-item"
          onSelect={() => chooseDevice(device)}
        >
          <Icon name="device" />
          <span className="font-mono text-[12px]">
            <Highlight text={device.bssid} query={query} />
          </span>
          <span className="truncate text-ink3">
            <Highlight
              text={[device.description, device.vendor.company_name, statuses[device.status].label]
                .filter(Boolean)
                .join(' · ')}
              query={query}
            />
          </span>
        </Menu.Item>
      ))}
    </Menu.Group>
  )
}

export function EntitySection({ matches, query }: { matches: readonly EntityMatch[]; query: string }) {
  const kinds = [...new Set(matches.map(({ entity }) => entity))]
  return (
    <>
      {kinds.map(kind => (
        <Menu.Group key={kind} heading={routes[kind].title} className="palette-group">
          {matches
            .filter(({ entity }) => entity === kind)
            .map(match => (
              <EntityItem key={match.id} match={match} kind={kind} query={query} />
            ))}
        </Menu.Group>
      ))}
    </>
  )
}

function EntityItem({ match, kind, query }: { match: EntityMatch; kind: SearchableEntity; query: string }) {
  const { entity, id, name, detail } = match
  return (
    <Menu.Item
      value={`${entity} ${id}`}
      data-command="list.find"
      className="palette-item"
      onSelect={() => chooseEntity(match)}
    >
      <Icon name={routes[kind].icon} />
      <Highlight text={name} query={query} />
      {detail !== name && (
        <span className="truncate text-ink3">
          <Highlight text={detail} query={query} />
        </span>
      )}
    </Menu.Item>
  )
}
