/** Prompts: at most one request is open and waits for its answer. */

export type OpenPrompt<Request, Answer> = Request & {
  /** Closes the prompt with this answer, or with undefined as dismissed. Has no effect once it is closed. */
  readonly answer: (answer: Answer | undefined) => void
}

export interface Prompt<Request, Answer> {
  /** Returns the open request. */
  current(): OpenPrompt<Request, Answer> | undefined
  /** Opens a request; resolves with its answer, or with undefined if it is dismissed or another request opens. */
  ask(request: Request): Promise<Answer | undefined>
}

/** Creates a prompt. `show` displays a request and receives a unique number each time; `hide` removes it. */
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
