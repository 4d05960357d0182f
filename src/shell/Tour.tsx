import { useSnapshot } from 'valtio'
import { commandOf } from '../commands/core/registry.ts'
import { CommandKeys } from '../commands/surfaces/buttons/CommandButton.tsx'
import { SurfaceButtons } from '../commands/surfaces/buttons/SurfaceButtons.tsx'
import { tour } from '../commands/tour/state.ts'
import { tourSteps } from '../commands/tour/steps.ts'

/** The current step of the guided tour, in a corner of the page, with buttons to skip it and to leave the tour. */
export function Tour() {
  const { step: index = 0, isTouch } = useSnapshot(tour)
  const steps = tourSteps(isTouch)
  const step = steps[index]
  return (
    <section
      aria-labelledby="tour-title"
      className="raised fixed right-4 bottom-10 z-20 grid w-[340px] max-w-[calc(100vw-2rem)] gap-2 rounded-xl p-4"
    >
      <h2 id="tour-title" className="text-[12px] font-semibold text-ink2">
        {step ? `Tour: step ${index + 1} of ${steps.length}` : 'Tour'}
      </h2>
      <p role="status">
        {!step ? (
          isTouch ? (
            'You’re all set. Search at the top finds every command, any time.'
          ) : (
            <>
              You’re all set. Press <CommandKeys command={commandOf('view.keys')} /> any time to see all shortcuts.
            </>
          )
        ) : isTouch ? (
          `${step.text}.`
        ) : (
          <>
            Press <CommandKeys command={commandOf(step.command)} /> {step.text}.
          </>
        )}
      </p>
      <div className="flex justify-end gap-2">
        <SurfaceButtons
          on="tour"
          plain
          overrides={{ 'tour.skip': step ? {} : false, 'tour.leave': { label: step ? 'Leave tour' : 'Close' } }}
        />
      </div>
    </section>
  )
}
