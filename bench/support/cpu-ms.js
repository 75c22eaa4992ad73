// The processor time of this process so far, and the line by which a measuring process reports. Plain JavaScript, because
// removing types would be most of what is measured.
/** @returns {number} */
export function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Reports and ends this process.
 * @param {number} ms
 * @param {number | null} cpu_ms
 */
export function printTimes(ms, cpu_ms = cpuMs()) {
  console.log(`\n${JSON.stringify({ ms, cpu_ms })}`);
  process.exit(0);
}
