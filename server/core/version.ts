/** The version of the package, shown by the health check and the API reference. */
import manifest from '../../package.json' with { type: 'json' }

export const { version } = manifest
