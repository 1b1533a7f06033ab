// SPDX-License-Identifier: BSD-3-Clause
// The measure that the reader is held against: simdjson's on-demand parser takes eight fields of each event,
// loading included. Prints a checksum so that nothing is optimised away.
#include <cstdint>
#include <cstdio>
#include <simdjson.h>

using namespace simdjson;

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    padded_string json;
    if (padded_string::load(argv[1]).get(json))
        return 4;

    ondemand::parser parser;
    ondemand::document document;
    ondemand::array events;
    if (parser.iterate(json).get(document) || document["traceEvents"].get_array().get(events))
        return 4;

    uint64_t count = 0, sum = 0;
    for (auto item : events) {
        ondemand::object event;
        if (item.get_object().get(event))
            continue;
        for (auto field : event) {
            const std::string_view key = field.unescaped_key().value_unsafe();
            ondemand::value value = field.value().value_unsafe();
            if (key == "ph" || key == "cat" || key == "name" || key == "pid" || key == "tid" || key == "ts" ||
                key == "dur") {
                sum += value.raw_json_token().size();
            } else if (key == "args") {
                ondemand::object args;
                ondemand::value correlation;
                if (!value.get_object().get(args) && !args["correlation"].get(correlation))
                    sum += correlation.raw_json_token().size();
            }
        }
        count++;
    }
    std::printf("%llu events, %llu\n", (unsigned long long)count, (unsigned long long)sum);
    return 0;
}
