/** What tests and benches need to start the server as a program. */

/** The limit of V8's space for new objects with which `npm start`, the image and the service start the server. */
export const heapLimit = '--max-semi-space-size=4'

/** Returns this process's environment without the settings of services that a started server must not use. */
export function environmentOfServers(): NodeJS.ProcessEnv {
  const { DATABASE_URL: _database, SMTP_URL: _smtp, PUBLIC_URL: _public, MQTT_URL: _mqtt, ...environment } = process.env
  return environment
}

/** Returns whether a server answers and is healthy. */
export const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/health`).then(
    answer => answer.ok,
    () => false,
  )
