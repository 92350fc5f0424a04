/** Tells why the hub, and the command, refuse a filter without a member. */
export const emptyFilter =
  'the filter needs at least one member, such as connectionId or code: without one, every dead job would run again'
