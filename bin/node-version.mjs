/** Whether a Node can run Ninefold: as `engines` in package.json says. Read by any Node, so that an old one can say so. */
export function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > 24 || (major === 24 && minor >= 7)
}
