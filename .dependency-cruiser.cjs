const { floors, waist, belowEveryone } = require("./scripts/rooms.cjs");

const rooms = floors.flat();
const place = (room) => `^src/${room}(/|\\.ts$)`;
const waistAt = floors.findIndex((floor) => floor.includes(waist));

const walls = floors.flatMap((floor, level) =>
  floor.map((room) => {
    const allowed =
      level > waistAt
        ? [...belowEveryone, waist, ...floors.slice(waistAt + 1, level).flat(), room]
        : [...floors.slice(0, level).flat(), room];
    return {
      name: `wall-of-${room}`,
      comment: `${room} may import only: ${allowed.join(", ")}`,
      severity: "error",
      from: { path: place(room) },
      to: { path: "^src/", pathNot: allowed.map(place) },
    };
  }),
);

module.exports = {
  forbidden: [
    ...walls,
    { name: "no-circles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "no-homeless-files",
      comment: "every file under src belongs to a room of scripts/rooms.cjs",
      severity: "error",
      from: { path: "^src/", pathNot: [...rooms.map(place), "^src/[a-z]+\\.d\\.ts$"] },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: [".ts", ".tsx", ".d.ts", ".js", ".json", ".md"] },
  },
};
