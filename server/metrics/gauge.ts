/** Gauges that are read when they are asked for. */
import { Gauge, type Registry } from 'prom-client'

/** Returns a function that adds a gauge with a name and a help text; `read` returns its value. */
export const gaugesOf =
  (registry: Registry) =>
  (name: string, help: string, read: () => number | Promise<number>): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set(await read())
      },
    })
  }
