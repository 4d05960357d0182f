/** Failures of a command, for each target. */

/** A failed target and the reason. */
export interface Failure {
  readonly id: string
  readonly message: string
}

/** A search of the devices list for one exact value of a column. */
export interface DeviceSearch {
  readonly column: string
  readonly search: string
}

/** A failure for display: with the target's name, and a search for the devices that cause it. */
export interface ShownFailure extends Failure {
  readonly name: string
  readonly blockingDevices: DeviceSearch | undefined
}
