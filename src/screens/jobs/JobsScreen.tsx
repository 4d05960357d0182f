import { useRef } from 'react'
import { useSnapshot } from 'valtio'
import { shownJob } from '../../commands/jobs/actions.ts'
import { jobs, type Job } from '../../commands/core/runs/jobs.ts'
import { useMediaQuery } from '../../ui/useMediaQuery.ts'
import { JobList } from './JobList.tsx'
import { JobsToolbar } from './JobsToolbar.tsx'
import { NoJobs, Skeleton } from './placeholders.tsx'
import { JobDetail } from './JobDetail.tsx'

/** Below this width only one is shown: the jobs or the details of one. */
const oneAtATime = '(max-width: 999px)'

/** Bulk operations: their progress, their outcomes, and commands for them. */
export function JobsScreen() {
  const { list: snapshots, isLoaded, view } = useSnapshot(jobs)
  // A job's detail is a `ref`, which a snapshot does not copy although its type says so.
  const list = snapshots as readonly Job[]
  const narrow = useMediaQuery(oneAtATime)
  // Shared by both lists, so that the one that a key moves to takes the focus even when it has just been rendered.
  const handledMove = useRef(view.moves)
  const selectedJob = list.find(({ id }) => id === shownJob()?.id)
  return (
    <section aria-labelledby="jobs-title" className="flex min-h-0 min-w-0 flex-1 flex-col">
      <h1 id="jobs-title" tabIndex={-1} className="sr-only">
        Jobs
      </h1>
      {!selectedJob ? (
        <>
          <JobsToolbar list={list} />
          {isLoaded ? <NoJobs /> : <Skeleton />}
        </>
      ) : (
        <div className="flex min-h-0 flex-1">
          {(!narrow || view.within === 'jobs') && (
            <div
              className={`flex min-h-0 min-w-0 flex-col ${narrow ? 'flex-1' : 'w-[42%] max-w-[520px] border-r border-line'}`}
            >
              <JobsToolbar list={list} />
              <JobList list={list} shown={selectedJob.id} view={view} handledMove={handledMove} opens={narrow} />
            </div>
          )}
          {(!narrow || view.within === 'outcomes') && (
            <JobDetail key={selectedJob.id} job={selectedJob} view={view} handledMove={handledMove} alone={narrow} />
          )}
        </div>
      )}
    </section>
  )
}
