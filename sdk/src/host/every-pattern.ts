/** The form of a length of time such as `30s`, `2m`, `6h` or `1d`. */
export const everyPattern = /^[1-9][0-9]{0,4}[smhd]$/
