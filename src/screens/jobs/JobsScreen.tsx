import { useEffect, useMemo, useRef } from 'react'
import { useSnapshot } from 'valtio'
import { ApiError } from '../../api/errors.ts'
import { useJob, useJobList } from '../../api/jobs/jobList.ts'
import { jobs, type Job } from '../../commands/core/runs/jobs.ts'
import {
  isUndone,
  localEntry,
  mergeEntries,
  serverEntry,
  serverIdOf,
  type JobEntry,
} from '../../commands/jobs/entries.ts'
import { holdKeys } from '../../commands/surfaces/keys/keyBuffer.ts'
import { newerOf } from '../../domain/jobs/counts.ts'
import { deviceRoles } from '../../domain/roles.ts'
import { useRole } from '../../store/session.ts'
import { useMediaQuery } from '../../ui/useMediaQuery.ts'
import { JobDetail } from './JobDetail.tsx'
import { JobList } from './JobList.tsx'
import { JobsToolbar } from './JobsToolbar.tsx'
import { NoJob, NoJobs, NotAvailable, Skeleton } from './placeholders.tsx'
import { ServerJobDetail } from './ServerJobDetail.tsx'

/** Below this width only one is shown: the jobs or the details of one. */
const oneAtATime = '(max-width: 999px)'

/** Jobs of the server and of this browser: their progress, the result of each target, and commands for them. */
export function JobsScreen() {
  const { view } = useSnapshot(jobs)
  const narrow = useMediaQuery(oneAtATime)
  const { all, count, server, shown, error, isLoading } = useShownJobs()
  // Shared by both lists, so that the one that a key moves to takes the focus even when it has just been rendered.
  const handledMove = useRef(view.moves)
  const isEmpty = all.length === 0 && !shown && !error
  useKeysAfter(isLoading && server.error === undefined)
  const detailOnly = narrow && view.within === 'outcomes'
  return (
    <section aria-labelledby="jobs-title" className="flex min-h-0 min-w-0 flex-1 flex-col">
      <h1 id="jobs-title" tabIndex={-1} className="sr-only">
        Jobs
      </h1>
      {isEmpty ? (
        <>
          <JobsToolbar list={all} count={count} />
          {server.error !== undefined ? <NotAvailable error={server.error} /> : isLoading ? <Skeleton /> : <NoJobs />}
        </>
      ) : (
        <div className="flex min-h-0 flex-1">
          {!detailOnly && (
            <div
              className={`flex min-h-0 min-w-0 flex-col ${narrow ? 'flex-1' : 'w-[42%] max-w-[520px] border-r border-line'}`}
            >
              <JobsToolbar list={all} count={count} />
              <JobList
                list={all}
                count={count}
                shown={shown?.id}
                view={view}
                handledMove={handledMove}
                opens={narrow}
              />
            </div>
          )}
          {(!narrow || detailOnly) &&
            (!shown ? (
              <NoJob error={error} alone={narrow} />
            ) : shown.is === 'local' ? (
              <JobDetail key={shown.id} job={shown.job} view={view} handledMove={handledMove} alone={narrow} />
            ) : (
              <ServerJobDetail
                key={shown.id}
                job={shown.job}
                undone={isUndone(shown.job, server.data?.data ?? [])}
                view={view}
                handledMove={handledMove}
                alone={narrow}
              />
            ))}
        </div>
      )}
    </section>
  )
}

/** Holds keys that are typed ahead until the jobs have loaded; Esc drops them. */
function useKeysAfter(isLoading: boolean): void {
  useEffect(() => (isLoading ? holdKeys(() => undefined) : undefined), [isLoading])
}

/** Returns all jobs and the one whose details are shown, live. */
function useShownJobs() {
  const { list, isLoaded, view } = useSnapshot(jobs)
  // A job's detail is a `ref`, which a snapshot does not copy although its type says so.
  const local = list as readonly Job[]
  const role = useRole()
  const hasServerJobs = deviceRoles.some(one => one === role)
  const server = useJobList(hasServerJobs ? view.pages : 0)
  const all = useMemo(() => mergeEntries(local, server.data), [local, server.data])
  const { error, shown } = useShown(view.job, local, all)
  useEffect(() => {
    jobs.view.loads++
  }, [server.data, shown])
  const own = local.filter(({ remote }) => remote === undefined).length
  const isLoading = !isLoaded || (hasServerJobs && server.data === undefined)
  return { all, count: own + (server.data?.count ?? 0), server, shown, error, isLoading }
}

/** Returns the job that the view names, also one that is not in the list, or else the newest one. */
function useShown(
  named: string | undefined,
  local: readonly Job[],
  all: readonly JobEntry[],
): { shown: JobEntry | undefined; error: ApiError | undefined } {
  const own = local.find(({ id, remote }) => id === named && remote === undefined)
  const serverId = serverIdOf(named, local)
  const first = own ? localEntry(own) : serverId === undefined ? all[0] : undefined
  const id = first?.is === 'server' ? first.id : serverId
  const alone = useJob(id)
  const listed = all.find(entry => entry.id === id)
  const error = alone.error instanceof ApiError && !alone.data ? alone.error : undefined
  const inList = listed?.is === 'server' ? listed.job : undefined
  const newest = newerOf(alone.data, inList)
  const shown = useMemo(() => newest && serverEntry(newest), [newest])
  return { shown: first?.is === 'local' ? first : shown, error }
}
