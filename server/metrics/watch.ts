/** Parts of the server that are measured from outside: each function returns the part with the same behaviour. */
import type { Bus } from '../bus/bus.ts'
import type { Post } from '../bus/post.ts'
import type { AlarmEvaluator } from '../devices/alarms/alarmEvaluator.ts'
import type { Ingest } from '../devices/ingest/readings.ts'
import type { Link } from '../devices/link.ts'
import type { Mail } from '../mail/mail.ts'
import type { Metrics } from './metrics.ts'

/** Counts readings, and measures how long they take to be stored. */
export function watchIngest(ingest: Ingest, metrics: Metrics): Ingest {
  return {
    add: async (bssid, readings, receivedAt) => {
      metrics.readingsReceived.inc(readings.length)
      const end = metrics.ingestSeconds.startTimer()
      try {
        await ingest.add(bssid, readings, receivedAt)
      } catch (error) {
        metrics.readingsFailed.inc(readings.length)
        throw error
      }
      end()
    },
    get pending() {
      return ingest.pending
    },
    close: () => ingest.close(),
  }
}

/** Counts the readings that are evaluated, which is each one that was stored. */
export function watchAlarms(alarms: AlarmEvaluator, metrics: Metrics): AlarmEvaluator {
  return {
    ...alarms,
    readings: (fresh, batch) => {
      metrics.readingsStored.inc(fresh.length)
      return alarms.readings(fresh, batch)
    },
  }
}

/** Counts the notifications that this process publishes, not those of other processes. */
export function watchBus(bus: Bus, metrics: Metrics): Bus {
  return {
    ...bus,
    publish: event => {
      if (event.kind === 'notifications') metrics.notifications.inc(event.ids.length)
      bus.publish(event)
    },
  }
}

/** Counts letters. */
export function watchPost(post: Post, metrics: Metrics): Post {
  return {
    ...post,
    send: async (...letter) => {
      const outcome = await post.send(...letter)
      metrics.handedOn.inc({ outcome })
      return outcome
    },
  }
}

/** Counts commands, and how many are waiting. */
export function watchLink(link: Link, metrics: Metrics): Link {
  return {
    ...link,
    send: async (...sent) => {
      metrics.commandsPending.inc()
      try {
        const answer = await link.send(...sent)
        metrics.commands.inc({ outcome: answer.ok ? 'done' : 'failed' })
        return answer
      } finally {
        metrics.commandsPending.dec()
      }
    },
  }
}

/** Counts mails. */
export function watchMail(mail: Mail, metrics: Metrics): Mail {
  return {
    ...mail,
    send: async (to, message) => {
      try {
        await mail.send(to, message)
      } catch (error) {
        metrics.mails.inc({ outcome: 'failed' })
        throw error
      }
      metrics.mails.inc({ outcome: 'sent' })
    },
  }
}
