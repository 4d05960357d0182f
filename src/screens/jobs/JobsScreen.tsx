import { useRef } from 'react'
import { useSnapshot } from 'valtio'
import { shownJob } from '../../commands/jobs/actions.ts'
import { jobs, type Job } from '../../commands/core/runs/jobs.ts'
import { useMedia } from '../../ui/media.ts'
import { JobList } from './JobList.tsx'
import { JobsToolbar } from './JobsToolbar.tsx'
import { NoJobs, Skeleton } from './instead.tsx'
import { ShownJob } from './ShownJob.tsx'

/** Below this one of both is shown: the jobs, or what came of one. */
const oneAtATime = '(max-width: 999px)'

/** What was done to many: how far it is, what came of each, and what can be done about it. */
export function JobsScreen() {
  const { list: snapshots, read, view } = useSnapshot(jobs)
  // A job's detail is a ref: a snapshot has it as it is, although the type says otherwise.
  const list = snapshots as readonly Job[]
  const narrow = useMedia(oneAtATime)
  // Whichever of both lists the keys moved to takes the focus, also where it is shown only from then on.
  const granted = useRef(view.moves)
  const shown = list.find(({ id }) => id === shownJob()?.id)
  return (
    <section aria-labelledby="jobs-title" className="flex min-h-0 min-w-0 flex-1 flex-col">
      <h1 id="jobs-title" tabIndex={-1} className="sr-only">
        Jobs
      </h1>
      {!shown ? (
        <>
          <JobsToolbar list={list} />
          {read ? <NoJobs /> : <Skeleton />}
        </>
      ) : (
        <div className="flex min-h-0 flex-1">
          {(!narrow || view.within === 'jobs') && (
            <div
              className={`flex min-h-0 min-w-0 flex-col ${narrow ? 'flex-1' : 'w-[42%] max-w-[520px] border-r border-line'}`}
            >
              <JobsToolbar list={list} />
              <JobList list={list} shown={shown.id} view={view} granted={granted} opens={narrow} />
            </div>
          )}
          {(!narrow || view.within === 'outcomes') && (
            <ShownJob key={shown.id} job={shown} view={view} granted={granted} alone={narrow} />
          )}
        </div>
      )}
    </section>
  )
}
