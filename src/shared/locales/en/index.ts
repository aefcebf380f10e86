import { cli } from "./cli";
import { errors } from "./errors";
import { ui } from "./ui";

export const en = { cli, errors, ui };
