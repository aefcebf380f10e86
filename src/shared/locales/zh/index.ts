import { cli } from "./cli";
import { errors } from "./errors";
import { ui } from "./ui";

export const zh = { cli, errors, ui };
