/** What failed, and why. */

/** One thing that failed: its id, and the reason. */
export interface Failure {
  readonly id: string
  readonly message: string
}

/** A search of the devices' list that finds exactly what is meant. */
export interface DeviceSearch {
  readonly column: string
  readonly search: string
}

/** A failure as it is shown: by name, and with the devices that cause it. */
export interface ShownFailure extends Failure {
  readonly name: string
  readonly see: DeviceSearch | undefined
}
