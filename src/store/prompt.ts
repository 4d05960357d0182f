/** Prompts: one request at a time is open, and waits for an answer. */

export type OpenPrompt<Request, Answer> = Request & {
  /** Closes it with this answer, or as dismissed; does nothing once it is closed. */
  readonly answer: (answer: Answer | undefined) => void
}

export interface Prompt<Request, Answer> {
  /** Returns the open request. */
  current(): OpenPrompt<Request, Answer> | undefined
  /** Opens a request; resolves with its answer, or undefined where it is dismissed or the next one takes its place. */
  ask(request: Request): Promise<Answer | undefined>
}

/** Returns a prompt that is shown by `show`, with a number of its own each time, and hidden by `hide`. */
export function createPrompt<Request extends object, Answer>(slot: {
  show(open: OpenPrompt<Request, Answer>, number: number): void
  hide(): void
}): Prompt<Request, Answer> {
  let open: OpenPrompt<Request, Answer> | undefined
  let serial = 0
  return {
    current: () => open,
    ask(request) {
      open?.answer(undefined)
      return new Promise(resolve => {
        const own: OpenPrompt<Request, Answer> = {
          ...request,
          answer(answer) {
            if (open !== own) return
            open = undefined
            slot.hide()
            resolve(answer)
          },
        }
        open = own
        slot.show(own, ++serial)
      })
    },
  }
}
