/** All cases of our own: instances of the kinds that the recorded cases do not show. */
import { callCases } from "./calls";
import { mendedCases } from "./mended";
import { refusalCases } from "./refusals";
import { responseCases } from "./responses";
import { streamCases } from "./streams";

export const moreCases = [...callCases, ...streamCases, ...refusalCases, ...mendedCases, ...responseCases];
