/** Returns the headers and the body of an upload: one part named file. */
export const multipart = (content: string, headers: Record<string, string> = {}) => ({
  headers: { ...headers, 'content-type': 'multipart/form-data; boundary=sample' },
  payload: `--sample\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\n${content}\r\n--sample--\r\n`,
})
