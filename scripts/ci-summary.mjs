/** Prints the closing line of CI, `N passed, N failed`, from the test report; failed steps count as failures. */
import { readFileSync } from "node:fs";

const failedSteps = Number(process.argv[2] ?? 0);
let passed = 0;
let failed = 0;
try {
  const report = JSON.parse(readFileSync("node_modules/.cache/zqagent/tests.json", "utf8"));
  passed = report.numPassedTests;
  failed =
    report.numFailedTests +
    report.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0).length;
} catch (error) {
  console.error(`No test report: ${error.message}`);
  failed = 1;
}
if (failedSteps > 0 && failed === 0) failed = failedSteps;
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
